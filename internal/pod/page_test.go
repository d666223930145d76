package pod

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

// TestKindsPage checks that docs/reference/kinds.md has the table of all built-in kinds.
func TestKindsPage(t *testing.T) {
	table := "| API group | kind | pod templates |\n|---|---|---|\n"
	for _, kind := range builtIn {
		var paths []string
		for _, path := range kind.Paths {
			if path == "" {
				paths = append(paths, "the object itself")
				continue
			}
			paths = append(paths, "`"+path+"`")
		}
		notes := ""
		if kind.Finishes {
			notes += "; its pods are meant to finish"
		}
		if kind.Knative {
			notes += "; [Knative's limits](../how-to/what-goes-in.md#knative) apply"
		}
		if kind.Reference != "" {
			notes += "; none if `" + kind.Reference + "` names another workload"
		}
		table += "| " + cmp.Or(kind.Group, "core") + " | " + kind.Kind + " | " + strings.Join(paths, ", ") + notes + " |\n"
	}
	path := filepath.Join("..", "..", "docs", "reference", "kinds.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), "| API group |")
	_, after, found := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatalf("%s has no table with text after it", path)
	}
	golden.Check(t, path, before+table+"\n"+after)
}
