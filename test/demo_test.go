package test

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// demo builds test/demo, which needs a built pillion.
func demo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo")
	mustRun(t, root, "", "go", "build", "-o", path, "./test/demo")
	return path
}

func TestTheDemoOfAnExampleEndsWithItsSummary(t *testing.T) {
	r := mustRun(t, root, "", demo(t), "-pillion", filepath.Join(binDir, "pillion"), "examples/kpt-package")
	if !strings.HasPrefix(r.stdout, "--- before\n") || r.stderr != "1 workload: 1 injected\n" {
		t.Errorf("not a diff and a summary:\n%s%s", r.stdout, r.stderr)
	}
}

// isSummary matches the lines about what changes, and how many workloads there are.
var isSummary = regexp.MustCompile(`^\d+ (x (adds|removes) |workloads?: )`)

// TestTheDemoExplainsItself checks the parts of `make demo`, that it uses colours on a terminal only, and that its
// suggestions can be pasted and say nothing else.
func TestTheDemoExplainsItself(t *testing.T) {
	program, pillion := demo(t), filepath.Join(binDir, "pillion")
	text := mustRun(t, root, "", program, "-pillion", pillion).stdout
	rest := text
	for _, part := range []string{
		"What you will see\n",
		"\n$ ./pillion diff -c examples/kpt-package/injector.yaml -f examples/kpt-package/deployment.yaml\n",
		"\n+      - name: fluent-bit\n",
		"\n1 workload: would inject 1\n",
		"\nWhat to try next\n",
	} {
		before, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not in its place:\n%s", part, text)
		}
		if strings.Contains(before, "\x1b") {
			t.Errorf("there are colours in\n%q", before)
		}
		rest = after
	}

	t.Run("suggestions", func(t *testing.T) {
		blocks := strings.Split(strings.TrimSpace(rest), "\n\n")
		if len(blocks) != 4 { // the last one names the next page to read
			t.Fatalf("want three suggestions:\n%s", rest)
		}
		for i, want := range []string{"OptedOut", "PortConflict", "no byte differs"} {
			script := strings.ReplaceAll(blocks[i], "./pillion", pillion)
			r := mustRun(t, root, "", tool(t, "sh"), "-c", script)
			if !strings.Contains(r.stdout, want) {
				t.Errorf("%s\nprints\n%s\nwithout %q", blocks[i], r.stdout, want)
			}
			for line := range strings.Lines(r.stderr) {
				if !isSummary.MatchString(line) {
					t.Errorf("%s\nalso says\n%s", blocks[i], line)
				}
			}
		}
		_, page, _ := strings.Cut(blocks[3], ": ")
		if _, err := os.Stat(filepath.Join(root, page)); err != nil {
			t.Error(err)
		}
	})

	t.Run("colours", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("script has other flags on other systems")
		}
		script := tool(t, "script")
		t.Setenv("TERM", "xterm")
		onTerminal := program + " -pillion " + pillion
		for noColour, wants := range map[string]bool{"": true, "1": false} {
			t.Setenv("NO_COLOR", noColour)
			out := mustRun(t, root, "", script, "-qec", onTerminal, os.DevNull).stdout
			hasHeading, hasGreen := strings.Contains(out, "\x1b[1mWhat"), strings.Contains(out, "\x1b[32m+")
			if hasHeading != wants || hasGreen != wants {
				t.Errorf("NO_COLOR=%s: bold headings %v, green lines %v, want %v", noColour, hasHeading, hasGreen, wants)
			}
		}
	})
}
