package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// kubectl ends the last line of a file itself, and others do not. A text that means one thing to the
// one and another to the others is left as it is, or refused.
func TestFilesThatEndInABlockScalar(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
	config := exportConfig(t, exportable)
	for text, open := range map[string]bool{
		"  a: |\n    x": true, "  a: |+\n    x": true, "  a: |2 # a | b\n      x": true, "  \"a|\": >\n    x": true,
		"  a: >-\n    x\n    y": false, "  a: x": false, "  a: |\n    x\n  ": false,
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.yaml": head + text, "b.yaml": oneWorkload} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, out, said := run([]string{"inject", "-c", config, "--allow-empty", "-f", filepath.Join(dir, "a.yaml")}, ""); out != head+text {
			t.Errorf("%q alone becomes %q: %s", text, out, said)
		}
		code, out, said := run([]string{"inject", "-c", config, "-f", dir}, "")
		if refused := code != 0 && out == "" && strings.Contains(said, "has no newline"); refused != open {
			t.Errorf("%q is refused: %t: %s", text, refused, said)
		}
		if got, want := dataOf(t, out), dataOf(t, head+text); !open && got != want {
			t.Errorf("%q: got %q, want %q in:\n%s", text, got, want, out)
		}
	}
}

// dataOf is what the first document of a stream has as data.
func dataOf(t *testing.T, text string) string {
	t.Helper()
	var object struct{ Data map[string]string }
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&object); err != nil && text != "" {
		t.Fatal(err)
	}
	all := ""
	for key, value := range object.Data {
		all += key + "=" + value
	}
	return all
}
