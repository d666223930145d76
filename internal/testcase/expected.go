package testcase

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

// compareTexts compares the manifests after the injection with the expected texts.
func (r *Result) compareTexts() {
	others := maps.Clone(r.Texts)
	for i, manifest := range r.Manifests {
		if want, isThere := r.Texts[manifest.File]; isThere {
			r.compare(want.File, "the result is another one", want.Text, r.after[i].Text)
			delete(others, manifest.File)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(others)) {
		r.add(finding.Finding{
			Severity: finding.Error,
			Code:     finding.InvalidExpectation,
			Message:  "there is no manifest " + path + " in the test; correct the name, or remove the file",
			File:     &finding.File{Path: r.Texts[path].File},
		})
	}
}

// compareList compares the decisions with those in expected.yaml.
func (r *Result) compareList() {
	if r.List == nil {
		return
	}
	for i, l := range r.lines() {
		f := finding.Finding{
			Severity: finding.Error,
			Code:     finding.NotAsExpected,
			File:     &finding.File{Path: r.List.File, Line: i + 1},
		}
		switch {
		case l.err != nil:
			f.Code = finding.InvalidExpectation
			f.Message = l.err.Error()
			r.add(f)
		case l.isRepeated && len(l.workloads) == 0:
			f.Message = fmt.Sprintf("there are fewer workloads %s in the test than lines; remove the line", l.name)
			r.add(f)
		case l.name != "" && len(l.workloads) == 0:
			f.Message = fmt.Sprintf("there is no workload %s in the test; correct the name, or remove the line", l.name)
			r.add(f)
		}
		for _, w := range l.workloads {
			r.hasLine[w] = true
			if !l.holdsFor(w) {
				f.Object = &w.Object
				f.Message = fmt.Sprintf("it is %s, and expected to be %s", wordsOf(w), l.words)
				f.Detail = explain(w)
				r.add(f)
			}
		}
	}
}

// explain returns why there is a decision about a workload.
func explain(w *outcome.Workload) string {
	why := ""
	for _, f := range w.Findings() {
		why += string(f.Code) + ": " + f.Message + "\n"
	}
	return why
}

// checkCoverage reports workloads of which nothing is expected, and expectations of no workload at all. A list has all
// workloads; without one, there is a text of each.
func (r *Result) checkCoverage() {
	if len(r.Workloads) == 0 && (len(r.Texts) > 0 || r.List != nil) {
		r.add(finding.Finding{
			Severity: finding.Error,
			Code:     finding.NothingExpected,
			Message:  "the test compares nothing, because none of its manifests has a workload; add one, or remove it",
			File:     &finding.File{Path: r.Dir},
		})
	}
	for _, w := range r.Workloads {
		_, hasText := r.Texts[w.File.Path]
		if r.hasLine[w] || hasText && r.List == nil {
			continue
		}
		r.uncovered = append(r.uncovered, w)
		r.add(finding.Finding{
			Severity: finding.Error,
			Code:     finding.NothingExpected,
			Message: fmt.Sprintf("nothing is expected of it; if it is right, add %q to %s; "+
				"--update does that if the file exists", r.lineOf(w), filepath.Join(r.Dir, ListFile)),
			Object: &w.Object,
			File:   w.File,
		})
	}
}
