package testcase

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
)

// Update is a new text for a file with expectations, or for one that is new.
type Update struct {
	Path          string
	Before, After []byte
	IsNew         bool
}

// Updates returns the expectations as the result is. There are no new texts: what nothing is expected of gets a line.
func (r *Result) Updates() []Update {
	var all []Update
	for i, manifest := range r.Manifests {
		if want, isThere := r.Texts[manifest.File]; isThere {
			all = append(all, Update{Path: want.File, Before: want.Text, After: r.after[i].Text})
		}
	}
	list := r.List
	if list == nil {
		list = &engine.Source{File: filepath.Join(r.Dir, ListFile)}
	}
	if r.List != nil || len(r.uncovered) > 0 {
		after := r.updatedList(string(list.Text))
		all = append(all, Update{Path: list.File, Before: list.Text, After: []byte(after), IsNew: r.List == nil})
	}
	return slices.DeleteFunc(all, func(u Update) bool { return !u.IsNew && bytes.Equal(u.Before, u.After) })
}

// updatedList returns the text of expected.yaml with other lines for what is not as expected. Comments on lines of their
// own stay.
func (r *Result) updatedList(before string) string {
	var after strings.Builder
	write := func(workloads []*outcome.Workload) {
		for _, w := range workloads {
			after.WriteString(r.lineOf(w) + "\n")
		}
	}
	for text := range strings.Lines(before) {
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
	return after.String()
}
