package test

import (
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
