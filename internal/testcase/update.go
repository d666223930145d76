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
// of their own stay. A line about several workloads becomes one for each that has none of its own.
func (r *Result) updatedList() []byte {
	var after bytes.Buffer
	lines := r.lines()
	hasOwn := map[string]bool{}
	for _, l := range lines {
		hasOwn[l.name] = true
	}
	for _, l := range lines {
		isWrong := func(w *outcome.Workload) bool { return !l.holdsFor(w) }
		isRight := l.name == "" || len(l.workloads) > 0 && !slices.ContainsFunc(l.workloads, isWrong)
		switch {
		case isRight:
			after.WriteString(strings.TrimSuffix(l.text, "\n") + "\n")
			continue
		case len(l.workloads) == 1:
			after.WriteString(l.name + ": " + wordsOf(l.workloads[0]) + "\n")
			continue
		}
		for _, w := range l.workloads {
			if name := r.nameOf(w); name == l.name || !hasOwn[name] {
				after.WriteString(r.lineOf(w) + "\n")
			}
		}
	}
	for _, w := range r.uncovered {
		after.WriteString(r.lineOf(w) + "\n")
	}
	return after.Bytes()
}
