package pod

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

// TestKindsPage checks that docs/reference/limits.md has the table of all built-in kinds, and that of the kinds whose
// pods no injection can change. Kinds of one group whose other cells are the same share a row.
func TestKindsPage(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "reference", "limits.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := withTable(t, string(page), "| API group | kind | pods at | to know |", kindRows())
	text = withTable(t, text, "| API group | kind | why | instead |", unsupportedRows())
	golden.Check(t, path, text)
}

// withTable returns a page with other rows below the head of a table.
func withTable(t *testing.T, page, head string, rows []string) string {
	t.Helper()
	before, rest, isThere := strings.Cut(page, head)
	_, after, isEnded := strings.Cut(rest, "\n\n")
	if !isThere || !isEnded {
		t.Fatalf("there is no table %s with text after it", head)
	}
	line := strings.Repeat("|---", strings.Count(head, "|")-1) + "|"
	return before + strings.Join(append([]string{head, line}, rows...), "\n") + "\n\n" + after
}

func kindRows() (rows []string) {
	type row struct{ group, kinds, others string }
	var all []row
	for _, kind := range builtIn() {
		cells := []string{podsOf(kind), toKnow(kind)}
		next := row{cmp.Or(kind.Group, "core"), kind.Kind, strings.Join(cells, " | ")}
		if last := len(all) - 1; last >= 0 && all[last].group == next.group && all[last].others == next.others {
			all[last].kinds += ", " + kind.Kind
			continue
		}
		all = append(all, next)
	}
	for _, r := range all {
		rows = append(rows, "| "+r.group+" | "+r.kinds+" | "+r.others+" |")
	}
	return rows
}

func unsupportedRows() (rows []string) {
	for _, u := range allUnsupported {
		rows = append(rows, "| "+strings.Join([]string{u.group, strings.Join(u.kinds, ", "), u.Why, u.Instead}, " | ")+" |")
	}
	return rows
}

// podsOf returns where the pods of a kind are, in words.
func podsOf(kind Kind) string {
	var paths []string
	for _, path := range kind.Paths {
		if path == "" {
			paths = append(paths, "the object itself")
			continue
		}
		paths = append(paths, "`"+path+"`")
	}
	for _, path := range kind.Specs {
		paths = append(paths, "`"+path+"`")
	}
	text := strings.Join(paths, ", ")
	if len(kind.Specs) > 0 {
		text += " ([bare](#pod-specs-without-a-template))"
	}
	return text
}

// toKnow returns what a user has to know about a kind, in words.
func toKnow(kind Kind) string {
	var notes []string
	note := func(is bool, text string) {
		if is {
			notes = append(notes, text)
		}
	}
	note(kind.Finishes, "its pods are meant to finish")
	note(kind.Knative && kind.Group != "serving.kserve.io", "[Knative's limits](../how-to/what-goes-in.md#knative) apply")
	note(kind.Knative && kind.Group == "serving.kserve.io",
		"[Knative's limits](../how-to/what-goes-in.md#knative) apply, unless its annotation `"+deploymentMode+
			"` is `Standard` or `RawDeployment`")
	note(kind.Reference != "", "none if `"+kind.Reference+"` names another workload")
	note(kind.Plain, "no native sidecars")
	note(kind.First, "the first container must stay that of the app")
	note(kind.Fields != nil, "only these fields of a pod: `"+strings.Join(kind.Fields, "`, `")+"`")
	note(len(kind.Specs) > 0 && kind.Copies, "its pods have copies of the object's annotations")
	note(len(kind.Specs) > 0 && !kind.Copies, "its pods have no stamp")
	note(kind.Note != "", kind.Note)
	return strings.Join(notes, "; ")
}
