package files

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	gitignore "github.com/monochromegane/go-gitignore"
)

func ignored(t *testing.T, text, name string, isDir bool) bool {
	t.Helper()
	defer func() {
		if found := recover(); found != nil {
			t.Fatalf("%q panics: %v", text, found)
		}
	}()
	lines, err := convertIgnoreFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return gitignore.NewGitIgnoreFromReader("/home", bytes.NewReader(lines)).Match("/home/"+name, isDir)
}

func TestNoShortIgnoreFilePanics(t *testing.T) {
	texts := []string{""}
	for range 4 {
		longer := texts[:0:0]
		for _, text := range texts {
			for _, c := range "!/*[]\\?# a\r" {
				longer = append(longer, text+string(c))
			}
		}
		for _, text := range longer {
			ignored(t, text, "a", false)
			ignored(t, text, "a/!", true)
		}
		texts = longer
	}
}

func TestIgnoreFilesAreReadAsGitReadsThem(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("this needs git, and file names that Windows has not")
	}
	for _, test := range []struct{ lines, ignored, kept string }{
		{"/\n!\n!/\n/ \n\\/\nx.yaml", "x.yaml", "y.yaml"},
		{"\uFEFFx.yaml", "x.yaml", "y.yaml"},
		{"\uFEFF# note\r\nx.yaml\r\n", "x.yaml", "# note"},
		{"[!k]eep.yaml", "deep.yaml", "keep.yaml"},
		{"[^k]eep.yaml", "deep.yaml", "keep.yaml"},
		{"[!a-k]eep.yaml", "seep.yaml", "keep.yaml"},
		{"[]x]eep.yaml", "]eep.yaml", "keep.yaml"},
		{"[!]x]eep.yaml", "keep.yaml", "]eep.yaml"},
		{"[-x]eep.yaml", "-eep.yaml", "keep.yaml"},
		{"[x-]eep.yaml", "-eep.yaml", "keep.yaml"},
		{`[\!x]eep.yaml`, "!eep.yaml", "keep.yaml"},
		{`[x\]]eep.yaml`, "]eep.yaml", "keep.yaml"},
		{"*.yaml\n![!x]eep.yaml", "xeep.yaml", "keep.yaml"},
		{`\!x.yaml`, "!x.yaml", "x.yaml"},
		{`\#x.yaml`, "#x.yaml", "x.yaml"},
		{`x\*.yaml`, "x*.yaml", "xx.yaml"},
		{`x\\y`, `x\y`, "xy"},
		{`\x\é\-\^\]`, "xé-^]", "x"},
		{" x.yaml", " x.yaml", "x.yaml"},
		{"x.yaml   ", "x.yaml", "x.yaml "},
		{`x.yaml\  `, "x.yaml ", "x.yaml"},
		{`x.yaml\\ `, `x.yaml\`, "x.yaml"},
		{"/\r \nx\r\r\n", "x\r", "x"},
		{"#x.yaml\n*y", "y", "#x.yaml"},
	} {
		dir := t.TempDir()
		if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(test.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{test.ignored: true, test.kept: false} {
			check := exec.Command(git, "check-ignore", "-q", "--", name)
			check.Dir = dir
			if byGit := check.Run() == nil; byGit != want {
				t.Errorf("git: %q: %q is ignored: %t, want %t", test.lines, name, byGit, want)
			}
			if got := ignored(t, test.lines, name, false); got != want {
				t.Errorf("%q: %q is ignored: %t, want %t", test.lines, name, got, want)
			}
		}
	}
}

func TestALineThatIsTooLongForTheLibraryIsAnError(t *testing.T) {
	if _, err := convertIgnoreFile([]byte(strings.Repeat("a", 100_000) + "\nsecret.yaml\n")); err == nil {
		t.Error("the lines behind it would be lost")
	}
}
