package testcase

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/escape"
)

// line is a line of expected.yaml.
type line struct {
	text  string
	name  string // kind/name, or namespace/kind/name
	words string // a decision, and the code of its reason, unless any is right
	err   error

	isRepeated bool                // whether other lines have the same name
	workloads  []*outcome.Workload // that it is about
}

// decisions are those of a run that writes.
var decisions = []string{
	string(decision.Injected), string(decision.Updated), string(decision.Removed),
	string(decision.Unchanged), string(decision.Patched), string(decision.Skipped), string(decision.Refused),
}

var errNoLine = errors.New(`this is no expectation; write a line for each workload, ` +
	`such as "deployment/web: injected" or "job/report: skipped OptedOut"`)

// lines returns the lines of expected.yaml. A line is about each workload of its name; lines of the same name are about
// one each, in the order of the manifests, so that the work is linear, and workloads without a namespace have lines of
// their own.
func (r *Result) lines() []line {
	var all []line
	total := map[string]int{}
	for text := range strings.Lines(string(r.List.Text)) {
		l, err := readLine(text)
		l.text = text
		l.err = err
		total[l.name]++
		all = append(all, l)
	}
	next := map[string]int{}
	for i := range all {
		l := &all[i]
		l.workloads = r.byName[l.name]
		l.isRepeated = l.name != "" && total[l.name] > 1
		if l.isRepeated {
			first := min(next[l.name], len(l.workloads))
			l.workloads = l.workloads[first:min(first+1, len(l.workloads))]
			next[l.name]++
		}
	}
	return all
}

// readLine reads a line. It has no name if it is blank, or only a comment, or wrong.
func readLine(text string) (line, error) {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "\ufeff"), "#")
	fields := strings.Fields(text)
	if len(fields) == 0 || fields[0] == "---" {
		return line{}, nil
	}
	name, hasColon := strings.CutSuffix(fields[0], ":")
	switch {
	case !hasColon || len(fields) == 1 || len(fields) > 3:
		return line{}, errNoLine
	case !slices.Contains(decisions, fields[1]):
		return line{}, fmt.Errorf("%q is not one of the decisions %s", fields[1], strings.Join(decisions, ", "))
	case len(fields) == 3 && finding.Code(fields[2]).Help() == "":
		return line{}, fmt.Errorf("there is no reason code %q; pillion explain shows those of workloads", fields[2])
	}
	return line{name: name, words: strings.Join(fields[1:], " ")}, nil
}

// holdsFor reports whether a workload is as the line says.
func (l line) holdsFor(w *outcome.Workload) bool { return slices.Contains(allWordsOf(w), l.words) }

// allWordsOf returns what a line may say of a workload: the decision, or the decision with the code of a finding. That
// of a refusal is an error.
func allWordsOf(w *outcome.Workload) []string {
	made := w.Decision()
	all := []string{string(made)}
	for _, f := range w.Findings() {
		if made != decision.Refused || f.Severity == finding.Error {
			all = append(all, string(made)+" "+string(f.Code))
		}
	}
	return all
}

// wordsOf returns the decision about a workload, with the reason if there may be several.
func wordsOf(w *outcome.Workload) string {
	all := allWordsOf(w)
	if w.Decision().Code() == "" && len(all) > 1 {
		return all[1]
	}
	return all[0]
}

// lineOf returns the line about a workload.
func (r *Result) lineOf(w *outcome.Workload) string { return r.nameOf(w) + ": " + wordsOf(w) }

// nameOf returns the shorter name of a workload unless another one has that, too.
func (r *Result) nameOf(w *outcome.Workload) string {
	names := namesOf(w)
	if len(r.byName[names[0]]) == 1 {
		return names[0]
	}
	return names[len(names)-1]
}

// namesOf returns the names of a workload: kind/name, and namespace/kind/name if it has a namespace.
func namesOf(w *outcome.Workload) []string {
	short := oneWord(finding.Object{Kind: w.Object.Kind, Name: w.Object.Name}.String())
	if w.Object.Namespace == "" {
		return []string{short}
	}
	return []string{short, oneWord(w.Object.Namespace) + "/" + short}
}

// oneWord returns a name without what would end it in a line, which is in no name that Kubernetes accepts.
func oneWord(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(escape.Line(name), "#", "_")), "_")
}
