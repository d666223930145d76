package engine

import (
	"context"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/report"
)

// Result is what became of plain manifests.
type Result struct {
	Report
	// Texts are the new texts of the sources, by their index: nil for one that stays as it is.
	Texts [][]byte
	// Edits make the new texts of the old ones, by the index of the source.
	Edits [][]edit.Edit
	// Rows are the workloads, each with its decision.
	Rows []Row
}

// Row is one workload of a run, for people to look at.
type Row = report.Row

// Apply runs a config on plain manifests: YAML documents, Lists and JSON. All sources are one
// stream to it, so that a Namespace in one says its labels to a Deployment in another, and
// each keeps its own text. Where the report has failed, there are no new texts. An error means that the
// context has ended.
func Apply(ctx context.Context, config Config, sources ...Source) (Result, error) {
	streams, said := readStreams(sources, finding.InvalidItem)
	if len(config.injectors) == 0 {
		said = append(said, Finding{Severity: Error, Code: finding.InvalidConfig, Message: "there are no injectors; give at least one SidecarInjector"})
	}
	if finding.HasError(said) {
		return Result{Report: Report{Findings: said, level: Warning}, Texts: make([][]byte, len(sources))}, nil
	}
	items := streams.items()
	changed, r, err := inject(ctx, items, config)
	if err != nil {
		return Result{}, err
	}
	at := newPlaces(items)
	at.locate(r.Findings)
	result := Result{Report: r, Rows: rowsOf(items, r.outcomes, at)}
	edits := editsOf(r.outcomes)
	result.outcomes = nil
	if r.Failed() {
		changed, edits = nil, nil
		result.takeBack()
		holdBackRows(result.Rows)
	}
	result.Texts = streams.texts(changed)
	result.Edits = streams.edits(edits)
	return result, nil
}
