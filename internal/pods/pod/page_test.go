package pod

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

// TestKindsPage checks that docs/reference/limits.md has the table of all built-in kinds. Kinds of one group whose pods
// are at the same place share a row.
func TestKindsPage(t *testing.T) {
	type row struct{ group, kinds, templates string }
	var rows []row
	for _, kind := range builtIn() {
		next := row{cmp.Or(kind.Group, "core"), kind.Kind, templatesOf(kind)}
		if last := len(rows) - 1; last >= 0 && rows[last].group == next.group && rows[last].templates == next.templates {
			rows[last].kinds += ", " + kind.Kind
			continue
		}
		rows = append(rows, next)
	}
	table := "| API group | kind | pod templates |\n|---|---|---|\n"
	for _, r := range rows {
		table += "| " + r.group + " | " + r.kinds + " | " + r.templates + " |\n"
	}
	path := filepath.Join("..", "..", "..", "docs", "reference", "limits.md")
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

// templatesOf returns where the pods of a kind are, in words.
func templatesOf(kind Kind) string {
	var paths []string
	for _, path := range kind.Paths {
		if path == "" {
			paths = append(paths, "the object itself")
			continue
		}
		paths = append(paths, "`"+path+"`")
	}
	text := strings.Join(paths, ", ")
	if kind.Finishes {
		text += "; its pods are meant to finish"
	}
	if kind.Knative {
		text += "; [Knative's limits](../how-to/what-goes-in.md#knative) apply"
	}
	if kind.Reference != "" {
		text += "; none if `" + kind.Reference + "` names another workload"
	}
	return text
}
