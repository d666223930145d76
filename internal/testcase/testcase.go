// Package testcase compares an injection with what people expect of it.
//
// A [Case] is a config, the manifests that it runs on, and what is expected: texts of manifests, and lines such as
// "deployment/web: injected". [Case.Run] injects, injects again and removes, and returns a [Result], whose findings are
// what is not as expected.
package testcase

import (
	"bytes"
	"context"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
)

// The names of what is expected, in the directory of a test.
const (
	TextsDir = "expected"
	ListFile = "expected.yaml"
)

// Case is a test.
type Case struct {
	Dir       string // in which its files are
	Configs   []finding.Source
	Manifests []finding.Source
	Generated []finding.Object // by kustomizations among the manifests, see engine.Config.WithGenerated
	// Texts are the files in expected/, by the paths of the manifests that they are expected of.
	Texts map[string]finding.Source
	// List is expected.yaml, or nil if there is none.
	List *finding.Source
}

// Result is what became of a case.
type Result struct {
	*Case
	// Findings are what is wrong. All of them are errors.
	Findings  []finding.Finding
	Workloads []*outcome.Workload

	after     []finding.Source // the manifests after the injection
	byName    map[string][]*outcome.Workload
	hasLine   map[*outcome.Workload]bool
	uncovered []*outcome.Workload // of which nothing is expected
}

// Run runs a case. The error means that the context has ended.
func (c *Case) Run(ctx context.Context) (*Result, error) {
	r := &Result{Case: c, byName: map[string][]*outcome.Workload{}, hasLine: map[*outcome.Workload]bool{}}
	config, findings := engine.ReadConfig(c.Configs...)
	r.add(findings...)
	if len(r.Findings) > 0 {
		return r, nil
	}
	config = config.Testing().WithGenerated(c.Generated)
	if r.after, r.Workloads = r.apply(ctx, config, c.Manifests); len(r.Findings) > 0 {
		return r, ctx.Err()
	}
	for _, w := range r.Workloads {
		for _, name := range namesOf(w) {
			r.byName[name] = append(r.byName[name], w)
		}
	}
	r.compareTexts()
	r.compareList()
	r.checkCoverage()
	r.checkLaws(ctx, config)
	return r, ctx.Err()
}

// apply runs a config on texts, and returns them as they are afterwards: unchanged if the context has ended.
func (r *Result) apply(
	ctx context.Context, config engine.Config, texts []finding.Source,
) ([]finding.Source, []*outcome.Workload) {
	applied, _ := engine.Apply(ctx, config, texts...)
	r.add(applied.Run.General...)
	after := slices.Clone(texts)
	for i, text := range applied.Texts {
		if text != nil {
			after[i].Text = text
		}
	}
	return after, applied.Run.Workloads
}

// add adds the findings that are errors.
func (r *Result) add(findings ...finding.Finding) {
	for _, f := range findings {
		if f.Severity == finding.Error {
			r.Findings = append(r.Findings, f)
		}
	}
}

// compare adds a finding with a diff if a text is not the expected one.
func (r *Result) compare(path, message string, want, got []byte) {
	if bytes.Equal(want, got) {
		return
	}
	diff := edit.Unified(want, edit.Whole(want, got), 1, edit.Context)
	r.add(finding.Finding{
		Severity: finding.Error,
		Code:     finding.NotAsExpected,
		Message:  message,
		Detail:   "--- expected\n+++ result\n" + string(diff),
		File:     &finding.File{Path: path},
	})
}

// checkLaws checks that a second injection changes nothing, and that a removal gives back what it gives without the
// injection: the input, unless that has sidecars already.
func (r *Result) checkLaws(ctx context.Context, config engine.Config) {
	again, _ := r.apply(ctx, config, r.after)
	before, _ := r.apply(ctx, config.Removing(), r.Manifests)
	removed, _ := r.apply(ctx, config.Removing(), r.after)
	for i, manifest := range r.Manifests {
		r.compare(manifest.File, "a second injection changes the first result", r.after[i].Text, again[i].Text)
		r.compare(manifest.File, "inject and remove do not give back the input", before[i].Text, removed[i].Text)
	}
}

// Verdict is what a result says about the case.
type Verdict string

// The verdicts.
const (
	Passed Verdict = "passed"
	Failed Verdict = "failed"
	Broken Verdict = "broken" // the config, a manifest or an expectation is wrong, so that nothing is known
	NoTest Verdict = ""       // there are no workloads, and nothing is expected of any
)

// Verdict returns what the result says about the case.
func (r *Result) Verdict() Verdict {
	isOther := func(f finding.Finding) bool {
		return f.Code != finding.NotAsExpected && f.Code != finding.NothingExpected
	}
	switch {
	case slices.ContainsFunc(r.Findings, isOther):
		return Broken
	case len(r.Findings) > 0:
		return Failed
	case len(r.Workloads) == 0:
		return NoTest
	}
	return Passed
}
