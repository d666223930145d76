package testcase

import (
	"bytes"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/outcome"
)

// Update is a new text for a file with expectations.
type Update struct {
	Path          string
	Before, After []byte
}

// Updates returns new texts for the files with expectations that are not as the result.
func (r *Result) Updates() []Update {
	var all []Update
	for i, manifest := range r.Manifests {
		if want, isThere := r.Texts[manifest.File]; isThere {
			all = append(all, Update{want.File, want.Text, r.after[i].Text})
		}
	}
	if r.List != nil {
		all = append(all, Update{r.List.File, r.List.Text, r.updatedList()})
	}
	return slices.DeleteFunc(all, func(u Update) bool { return bytes.Equal(u.Before, u.After) })
}

// updatedList returns the text of expected.yaml with other lines for what is not as expected. Comments on lines
// of their own stay.
func (r *Result) updatedList() []byte {
	var after bytes.Buffer
	write := func(workloads []*outcome.Workload) {
		for _, w := range workloads {
			after.WriteString(r.lineOf(w) + "\n")
		}
	}
	for text := range strings.Lines(string(r.List.Text)) {
		l, _ := readLine(text)
		named := r.byName[l.name]
		isWrong := func(w *outcome.Workload) bool { return !l.holdsFor(w) }
		if l.name != "" && (len(named) == 0 || slices.ContainsFunc(named, isWrong)) {
			write(named)
			continue
		}
		after.WriteString(strings.TrimSuffix(text, "\n") + "\n")
	}
	write(r.uncovered)
	return after.Bytes()
}
