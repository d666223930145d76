package engine

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/report"
)

// rowsOf are the workloads among the items.
func rowsOf(items []manifest.Item, outcomes []outcome, at *places) []Row {
	var rows []Row
	for i, o := range outcomes {
		if !o.workload {
			continue
		}
		item := items[i]
		row := Row{
			Object: Object{APIVersion: item.APIVersion, Kind: item.Kind}, File: fileOf(item, nil),
			Decision: o.decision(), Findings: slices.Clone(o.findings), Cost: cost.Sum(o.added),
		}
		row.Before, row.Line, row.Edits = around(item, o.edits)
		if len(o.findings) > 0 && o.findings[0].Object != nil {
			row.Object = *o.findings[0].Object
		}
		at.locate(row.Findings)
		rows = append(rows, row)
	}
	return rows
}

// holdBackRows says of workloads that others keep from being written that they are held back.
func holdBackRows(rows []Row) {
	for i := range rows {
		if rows[i].Edits != nil {
			rows[i].Decision = report.HeldBack
			holdBack(rows[i].Findings)
		}
	}
}

// decision is what was decided about a workload, whatever became of others.
func (o *outcome) decision() report.Decision {
	switch {
	case finding.HasError(o.findings):
		return report.Refused
	case o.text != nil && o.has(finding.Injected):
		return report.Injected
	case o.text != nil && o.has(finding.Removed) && !o.has(finding.Updated):
		return report.Removed
	case o.text != nil:
		return report.Updated
	case o.injected:
		return report.Unchanged
	default:
		return report.Skipped
	}
}

// Others are the findings about no workload: about the config, and about the run as a whole.
func (r Result) Others() []Finding {
	workloads := map[*Object]bool{}
	for _, row := range r.Rows {
		for _, f := range row.Findings {
			workloads[f.Object] = true
		}
	}
	var others []Finding
	for _, f := range r.Findings {
		if (f.Object == nil || !workloads[f.Object]) && f.Code != finding.Cost {
			others = append(others, f)
		}
	}
	return others
}
