package command_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestNamesOfFilesMoveNoCursor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a file system that knows such names")
	}
	dir, config := t.TempDir(), exportConfig(t, exportable)
	name := filepath.Join(dir, "a\n\x1b[31mb.yaml")
	for text, args := range map[string][]string{
		"a: 1\n":      {"inject", "-v", "-c", config, "-f", dir, "-f", exportConfig(t, oneWorkload)},
		oneWorkload:   {"diff", "-c", config, "-f", name},
		"kind: Pod\n": {"inject", "-c", config, "-f", name + ".missing"},
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, out, said := run(args, "")
		if all := out + said; strings.Contains(all, "\x1b") || !strings.Contains(all, `a\n\x1b[31mb.yaml`) {
			t.Errorf("%v: got %q", args, all)
		}
	}
}
