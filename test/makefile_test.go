package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMakeTestDoesNotFuzz checks that `make test` has the same result for the same commit: it runs the committed inputs
// of fuzz targets, and `make fuzz` searches for new ones.
func TestMakeTestDoesNotFuzz(t *testing.T) {
	program := tool(t, "make")
	for target, searches := range map[string]bool{"test": false, "fuzz": true} {
		recipe := mustRun(t, root, "", program, "--dry-run", "--no-print-directory", target).stdout
		if strings.Contains(recipe, "fuzz") != searches {
			t.Errorf("make %s runs:\n%s", target, recipe)
		}
	}
}

// TestMakeTestRunsAllParts runs `make test` with a program instead of go, which writes down what it should run, and fails
// for one of the parts.
func TestMakeTestRunsAllParts(t *testing.T) {
	program, bin := tool(t, "make"), t.TempDir()
	const imitation = "#!/bin/sh\ncase \"$*\" in *gotestsum*) ;; *) exit 0 ;; esac\npart=\"${PWD#\"$MODULE\"} ${*##* }\"\n" +
		"echo \"$part\"\ntest \"$part\" != \"$FAILS\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(imitation), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("MODULE", root)
	const all = " -w\n ./test/...\n/audit ./...\n/api/v1alpha1/generate ./...\n/test/formats ./...\n"
	for fails, name := range map[string]string{
		" -w": "packages", " ./test/...": "test", "/audit ./...": "audit", "/api/v1alpha1/generate ./...": "api/v1alpha1/generate",
		"/test/formats ./...": "test/formats", "nothing": "",
	} {
		t.Setenv("FAILS", fails)
		r := run(t, root, "", program, "--no-print-directory", "test")
		if r.stdout != all || (r.exitCode == 0) != (name == "") {
			t.Errorf("%q fails: exit code %d\n%s%s", fails, r.exitCode, r.stdout, r.stderr)
		}
		if said := "make test: these parts have failed: " + name + "\n"; name != "" && !strings.Contains(r.stderr, said) {
			t.Errorf("%q fails, and it says %q, want %q", fails, r.stderr, said)
		}
	}
}

// TestBothCommandsAreInTheReadme checks that the README names what a fresh machine needs, and that CI runs the same.
func TestBothCommandsAreInTheReadme(t *testing.T) {
	if !strings.Contains(readFile(t, filepath.Join(root, ".ci", "run")), "\nstep make test\n") {
		t.Error(".ci/run does not run make test")
	}
	top, _, _ := strings.Cut(readFile(t, filepath.Join(root, "README.md")), "\n## ")
	for _, command := range []string{"make demo", "make test"} {
		if !strings.Contains(top, "\n"+command+" ") {
			t.Errorf("the README does not have %s near its top", command)
		}
	}
}

func TestMakeHelpHasEveryTarget(t *testing.T) {
	help := mustRun(t, root, "", tool(t, "make"), "help").stdout
	for _, target := range regexp.MustCompile(`(?m)^\.PHONY: (.+)$`).FindAllStringSubmatch(readFile(t, filepath.Join(root, "Makefile")), -1) {
		if !strings.Contains(help, "  make "+target[1]+" ") {
			t.Errorf("make help lacks %s", target[1])
		}
	}
}

// TestMakeTakesPlainTags checks that the version comes from a git tag, and that shell commands in the name of a tag are
// not run.
func TestMakeTakesPlainTags(t *testing.T) {
	program := tool(t, "make")
	for tag, want := range map[string]string{
		"v1.2.3-rc.1":                "v1.2.3-rc.1",
		"v9.0.0';touch${IFS}ran;'":   "v0.1.0-dev",
		"v9.0.0$(touch${IFS}ran)":    "v0.1.0-dev",
		"v9.0.0`touch${IFS}ran`":     "v0.1.0-dev",
		"v9.0.0\"&touch${IFS}ran&\"": "v0.1.0-dev",
	} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "Makefile"), readFile(t, filepath.Join(root, "Makefile"))+"\nsay: ; @echo 'is $(VERSION)'\n")
		gitRepository(t, dir)
		mustRun(t, dir, "", "git", "tag", tag)
		if got := run(t, dir, "", program, "--no-print-directory", "say").stdout; got != "is "+want+"\n" {
			t.Errorf("the tag %s makes the version %q, want %q", tag, got, want)
		}
		if ran, _ := filepath.Glob(filepath.Join(dir, "ran")); ran != nil {
			t.Errorf("the tag %s was run", tag)
		}
	}
}
