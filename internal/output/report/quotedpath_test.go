package report_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
)

func TestNamesInDiffsAreQuotedAsGitDoes(t *testing.T) {
	for name, want := range map[string]string{
		"web.yaml":              `a/web.yaml`,
		"a b.yaml":              "a/a b.yaml\t",
		"it's.yaml":             `a/it's.yaml`,
		"e\x1b.yaml":            `"a/e\033.yaml"`,
		"t\tn\nr\rb\bf\fv\va\a": `"a/t\tn\nr\rb\bf\fv\va\a"`,
		`q"b\.yaml`:             `"a/q\"b\\.yaml"`,
		"d\x7fé\u202e\xff":      `"a/d\177\303\251\342\200\256\377"`,
		"a\tb c":                "\"a/a\\tb c\"\t",
	} {
		_, rest, _ := strings.Cut(string(report.UnifiedDiff(name, []byte("@@\n"))), "\n--- ")
		if got, _, _ := strings.Cut(rest, "\n"); got != want {
			t.Errorf("%q is written as %s, want %s", name, got, want)
		}
	}
}

func TestGitAppliesDiffsOfUnusualNames(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("this needs git, and file names that Windows has not")
	}
	before, after := []byte("a: 1\n"), []byte("a: 2\n")
	for _, name := range []string{
		"a\tb", "a\nb", "e\x1b.yaml", "a b", "a \t b", `q"b\`,
		"\x01\x7f", "é\u202e", "\u009b", `\033`, "d/e\r.yaml", "' \"",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		diff := report.UnifiedDiff(name, edit.Unified(before, edit.Whole(before, after), 1, edit.Context))
		apply := exec.Command("git", "apply")
		apply.Dir, apply.Stdin = dir, strings.NewReader(string(diff))
		out, err := apply.CombinedOutput()
		if got, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, after) {
			t.Errorf("git apply leaves %q as %q: %v: %s\n%s", name, got, err, out, diff)
		}
	}
}

func TestQuotedNamesAreColouredAsNames(t *testing.T) {
	diff := report.UnifiedDiff("e\x1b.yaml", []byte("@@ -1 +1 @@\n-a: 1\n+a: 2\n"))
	got := string(report.ColourDiff(diff))
	if !strings.Contains(got, "\x1b[1m--- \"a/e\\033.yaml\"") || !strings.Contains(got, "\x1b[1m+++ \"b/e") {
		t.Errorf("got %q", got)
	}
}
