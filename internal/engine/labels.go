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
	maxLabelBytes = 80
)

// existingLabels returns the labels of workloads that a selector may match, such as tier=backend, the commonest first, and the
// numbers of workloads that have them.
func (r *run) existingLabels(m *member, items []manifest.Item) (labels []string, counts map[string]int) {
	counts = map[string]int{}
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
	labels = slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return labels, counts
}
