package engine

import (
	"cmp"
	"maps"
	"slices"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/selection"
)

// Limits on the labels that are listed: enough to see what a selector missed.
const (
	maxLabelled   = 500
	maxLabels     = 500
	maxLabelBytes = 80
)

// labelCounts are labels such as tier=backend, the commonest first, and the numbers of workloads that have them.
type labelCounts struct {
	labels  []string
	numbers map[string]int
}

// existingLabels returns the labels of workloads that a selector may match. They depend on its scope only, and are read once for all
// injectors.
func (r *run) existingLabels(m *member, items []manifest.Item) labelCounts {
	scope := m.injector.Spec.SelectorScope
	if _, isKnown := r.labels[scope]; !isKnown {
		r.labels[scope] = r.countLabels(m, items)
	}
	return r.labels[scope]
}

func (r *run) countLabels(m *member, items []manifest.Item) labelCounts {
	counts := map[string]int{}
	looked := 0
	for _, item := range items {
		kind, ok := r.kinds.Find(item.APIVersion, item.Kind)
		if !ok || item.Broken != nil {
			continue
		}
		if looked == maxLabelled {
			break
		}
		looked++
		_, object, err := item.Parse()
		if err != nil {
			continue
		}
		about := r.objectOf(item, object)
		candidates := selection.NewCandidates(&about, kind, object)
		for i := range candidates {
			for label := range m.selection.LabelsOf(&candidates[i]) {
				counts[label]++
			}
		}
	}
	maps.DeleteFunc(counts, func(label string, _ int) bool { return len(label) > maxLabelBytes })
	labels := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return labelCounts{labels[:min(len(labels), maxLabels)], counts}
}
