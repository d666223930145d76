package command_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/command"
)

func TestControlCharactersInFileNamesAreEscaped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a file system that knows such names")
	}
	dir, config := t.TempDir(), exportConfig(t, exportable)
	name := dir + "/a\n\x1b[31mb.yaml"
	for text, test := range map[string]struct {
		args []string
		want string
	}{
		"a: 1\n":      {[]string{"inject", "-v", "-c", config, "-f", dir, "-f", exportConfig(t, oneWorkload)}, `a\n\x1b[31mb.yaml`},
		oneWorkload:   {[]string{"diff", "-c", config, "-f", name}, `a\n\033[31mb.yaml"`}, // as git writes it
		"kind: Pod\n": {[]string{"inject", "-c", config, "-f", name + ".missing"}, `a\n\x1b[31mb.yaml`},
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, out, said := run(test.args, "")
		if all := out + said; strings.Contains(all, "\x1b") || !strings.Contains(all, test.want) {
			t.Errorf("%v: got %q", test.args, all)
		}
	}
}

func TestLineBreaksInFileNamesAreEscaped(t *testing.T) {
	dir := t.TempDir()
	hostile := dir + "/a\n::set-output name=x::y\x1b[2J"
	config := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\n" +
		"spec:\n  containers: [{name: logs, image: logs}]\n"
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers: [{name: logs, image: other}]\n"
	for name, text := range map[string]string{hostile + ".yaml": pod, hostile + ".txt": "", filepath.Join(dir, "injector.yaml"): config} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(hostile, "missing")} {
		var out, said strings.Builder
		args := []string{"explain", "-v", "-o", "github", "-c", filepath.Join(dir, "injector.yaml"), "-f", path}
		if code := command.Run(args, strings.NewReader(""), &out, &said); said.Len() == 0 {
			t.Errorf("nothing is printed, and the exit code is %d", code)
		}
		for line := range strings.Lines(said.String() + out.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::set-output") || strings.Contains(line, "\x1b") {
				t.Errorf("%s: the name wrote %q", path, line)
			}
		}
	}
}
