package engine

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/selection"
)

// weigh is what the pod templates of the changed version ask for above the original's.
func (w *workload) weigh(candidates []selection.Candidate) {
	for _, c := range candidates {
		if c.Template.Broken != nil {
			continue
		}
		before, after := c.Template.Spec(), c.Template.In(w.changed).Spec()
		if before == after {
			continue
		}
		w.added = append(w.added, w.weight(c, before, after))
	}
}

func (w *workload) weight(c selection.Candidate, before, after *yaml.Node) cost.Addition {
	replicas, known := w.kind.Replicas(w.original, c.Template)
	return cost.Addition{Pod: cost.Difference(before, after), Replicas: replicas, Unknown: !known}
}

// costOf is what the sidecars of a run cost, or would cost where nothing is written.
func costOf(outcomes []outcome) cost.Total {
	var total cost.Total
	for _, o := range outcomes {
		for _, added := range o.added {
			total.Add(added)
		}
	}
	return total
}
