package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/work/parallel"
)

// Result is what became of plain manifests.
type Result struct {
	Run outcome.Run
	// Texts are the new texts of the sources, by their index: nil for one that stays as it is.
	Texts [][]byte
	// Edits turn the old texts into the new ones, by the index of the source.
	Edits [][]edit.Edit
}

// Apply runs a config on plain manifests: YAML documents, Lists and JSON. All sources are one stream, so that a
// Namespace in one gives its labels to a Deployment in another, and each keeps its own text. If the run has failed,
// there are no new texts. The texts must not change, because outcomes share their memory. An error means that the
// context has ended.
func Apply(ctx context.Context, config Config, sources ...finding.Source) (Result, error) {
	remedy := "; check where it comes from" + config.flagsOr(", or accept it with --allow-empty", "")
	for _, source := range sources {
		config.bytes += len(source.Text)
	}
	r, findings := prepare(informing(sources), config)
	read, problems := r.readSources(ctx, sources, manifest.ErrEmpty.Error()+remedy)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if len(problems) == 0 && lacksObject(sources, read) {
		err := errors.New("there is no Kubernetes object in the input: no document has apiVersion and kind" + remedy)
		problems = append(problems, unreadable(sources[0], finding.InvalidItem, err))
	}
	if len(config.injectors) == 0 {
		problems = append(problems, noInjectors())
	}
	if finding.HasError(problems) {
		run := outcome.Run{General: problems, Level: finding.Warning}
		return Result{Run: run, Texts: make([][]byte, len(sources)), Edits: make([][]edit.Edit, len(sources))}, nil
	}
	all := slices.Concat(read...)
	run, err := r.injectAll(ctx, all, findings)
	if err != nil {
		return Result{}, err
	}
	result := Result{Run: run, Texts: make([][]byte, len(sources)), Edits: editsOf(read, run.Workloads)}
	for i, edits := range result.Edits {
		if len(edits) > 0 {
			result.Texts[i] = edit.Apply(sources[i].Text, edits)
		}
	}
	locator := newLocator(all)
	locator.locateIn(run.General, nil)
	for _, w := range run.Workloads {
		if item := all[w.Index].item; item != nil {
			w.Before, w.Line, w.Edits = withContext(item, w.Edits)
		}
		locator.locateIn(w.General, w.File)
		for _, o := range w.Outcomes {
			locator.locateIn(o.Findings, w.File)
		}
	}
	return result, nil
}

// informing returns the items of sources that decide about others, which have to be known before these are processed.
// Few texts can have one: it has its kind as a word, unless an escape or a tag encodes it. What cannot be read is
// reported later.
func informing(sources []finding.Source) []*manifest.Item {
	var all []*manifest.Item
	for _, source := range sources {
		hasWord := bytes.Contains(source.Text, []byte(selection.InformingKind))
		if !hasWord && !bytes.ContainsAny(source.Text, `!\`) {
			continue
		}
		items, _ := readSource(source, "")
		for _, item := range items {
			if selection.Informs(item.APIVersion, item.Kind) {
				all = append(all, item)
			}
		}
	}
	return all
}

// readSources splits sources on all cores, and processes those that have a single object, as most files do, so that
// little of them needs to be kept. A source that cannot be read is a problem. The message is for one that is empty.
func (r *run) readSources(ctx context.Context, sources []finding.Source, whenEmpty string) ([][]visited, []finding.Finding) {
	read := make([][]visited, len(sources))
	errs := make([]error, len(sources))
	parallel.Do(ctx, len(sources), func(i int) {
		items, err := readSource(sources[i], whenEmpty)
		errs[i] = err
		read[i] = visits(items)
		if len(items) != 1 || items[0].Kind == "" || r.meter.Exceeded() {
			return
		}
		only := &read[i][0]
		only.result, only.isDone = r.process(only.item), true
		if r.forgets && r.needsNoMore(only) {
			sources[i].Text = nil
			only.forget()
		}
	})
	var problems []finding.Finding
	for i, err := range errs {
		if err != nil {
			problems = append(problems, unreadable(sources[i], finding.InvalidItem, err))
		}
	}
	return read, problems
}

// lacksObject reports whether sources have documents, and none of them is a Kubernetes object. The message of a program
// that failed is also YAML, and must not pass for manifests that are as they should be.
func lacksObject(sources []finding.Source, read [][]visited) bool {
	documents := 0
	for i, all := range read {
		isObject := func(v visited) bool {
			return v.item == nil || v.item.Broken != nil || v.item.Kind != "" || v.item.APIVersion != ""
		}
		if sources[i].MayBeEmpty || slices.ContainsFunc(all, isObject) {
			return false
		}
		documents += len(all)
	}
	return documents > 0
}
