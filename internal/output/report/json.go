package report

import (
	"cmp"
	"io"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/cost"
	"pillion.dev/pillion/internal/pods/maker"
)

// JSON writes the page for programs. Its fields are an API, described in docs/reference/report.md: they are added and
// never renamed. Lists are never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	return page.WriteJSON(w, append(page.Document("Explanation", p.Title, p.Injectors, decision.All(), p.Run.Counts()),
		"changes", append([]outcome.ChangeCount{}, p.Run.Changes()...), "cost,omitempty", p.Run.Cost().String(),
		"elsewhere", page.EntriesOf(p.Run.MakerCounts(), makersJSON),
		"workloads", page.EntriesOf(p.Run.Workloads, workloadJSON), "findings", page.Findings(p.general())))
}

// makersJSON counts what makes pods elsewhere, of one kind.
func makersJSON(c outcome.MakerCount) page.Object {
	objects := []page.Object{}
	for _, m := range c.Makers {
		objects = append(objects, makerJSON(m))
	}
	return page.Object{
		"kind", c.Kind.Name, "group,omitempty", c.Kind.Group, "covered", c.Covered, "notChecked", c.Unchecked(),
		"objects", objects,
	}
}

func makerJSON(m *maker.Maker) page.Object {
	return page.Object{
		"namespace,omitempty", m.Object.Namespace, "name,omitempty", m.Object.Name, "file,omitempty", page.File(m.File),
		"from,omitempty", m.From, "decision", m.Decision(), "reason,omitempty", cmp.Or(m.Cover, m.Why),
	}
}

func workloadJSON(w *outcome.Workload) page.Object {
	r := newRow(w)
	return append(page.Identity(r.Object),
		"file,omitempty", page.File(r.File), "decision", r.decision, "reason,omitempty", r.reason.Code,
		"requests,omitempty", amountJSON(r.cost.Requests), "limits,omitempty", amountJSON(r.cost.Limits),
		"outcomes", outcomesJSON(r.Outcomes), "findings", page.Findings(r.findings), "diff,omitempty", string(Diff(r.Workload)))
}

// outcomesJSON leaves out the injectors that skip the workload: there may be a hundred.
func outcomesJSON(outcomes []*outcome.Outcome) []page.Object {
	out := []page.Object{}
	for _, o := range outcomes {
		if o.Decision != decision.Skipped {
			changes := append([]decision.Change{}, o.Changes...)
			out = append(out, page.Object{"injector", o.Injector, "decision", o.Decision, "reason,omitempty", o.Reason, "changes", changes})
		}
	}
	return out
}

// amountJSON counts in CPUs and bytes: plain numbers, which jq can add.
func amountJSON(a cost.Amount) page.Object {
	if a == (cost.Amount{}) {
		return nil
	}
	return page.Object{"cpu", page.Finite(a.MilliCPU / 1000), "memory", page.Finite(a.Bytes)}
}
