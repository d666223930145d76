package engine

import (
	"context"
	"errors"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
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
// there are no new texts. An error means that the context has ended.
func Apply(ctx context.Context, config Config, sources ...Source) (Result, error) {
	remedy := "; check where it comes from" + config.flagsOr(", or accept it with --allow-empty", "")
	streams, findings := readStreams(sources, finding.InvalidItem, manifest.ErrEmpty.Error()+remedy)
	if len(findings) == 0 && streams.lackObject(sources) {
		err := errors.New("there is no Kubernetes object in the input: no document has apiVersion and kind" + remedy)
		findings = append(findings, unreadable(sources[0], finding.InvalidItem, err))
	}
	if len(config.injectors) == 0 {
		findings = append(findings, noInjectors())
	}
	if finding.HasError(findings) {
		run := outcome.Run{General: findings, Level: finding.Warning}
		return Result{Run: run, Texts: make([][]byte, len(sources)), Edits: make([][]edit.Edit, len(sources))}, nil
	}
	items := streams.items()
	run, err := inject(ctx, items, config)
	if err != nil {
		return Result{}, err
	}
	result := Result{Run: run, Texts: make([][]byte, len(streams)), Edits: streams.edits(run.Workloads)}
	for i, edits := range result.Edits {
		if len(edits) > 0 {
			result.Texts[i] = streams[i].Apply(edits)
		}
	}
	locator := newLocator(items)
	locator.locateIn(run.General, nil)
	for _, w := range run.Workloads {
		w.Before, w.Line, w.Edits = withContext(items[w.Index], w.Edits)
		locator.locateIn(w.General, w.File)
		for _, o := range w.Outcomes {
			locator.locateIn(o.Findings, w.File)
		}
	}
	return result, nil
}
