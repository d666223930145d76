package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestAFileThatEndsInTextMeansTheSameBeforeAnother(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
	config := exportConfig(t, exportable)
	for _, text := range []string{"  a: |\n    x", "  a: |+\n    x", "  a: |2 # a | b\n      x", "  a: >-\n    x\n    y", "  \"a|\": >\n    x", "  a: x"} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.yaml": head + text, "b.yaml": oneWorkload} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		code, out, said := run([]string{"inject", "-c", config, "-f", dir}, "")
		if code != 0 {
			t.Fatal(said)
		}
		if got, want := dataOf(t, out), dataOf(t, head+text); got != want {
			t.Errorf("%q: got %q, want %q in:\n%s", text, got, want, out)
		}
	}
}

// dataOf is what the first document of a stream has as data.
func dataOf(t *testing.T, text string) string {
	t.Helper()
	var object struct{ Data map[string]string }
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&object); err != nil {
		t.Fatal(err)
	}
	all := ""
	for key, value := range object.Data {
		all += key + "=" + value
	}
	return all
}
