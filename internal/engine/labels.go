package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/selection"
)

// What is looked at and shown of labels: enough to see what a selector missed.
const (
	maxLabelled    = 500
	maxLabelsShown = 8
	maxLabelBytes  = 80
)

// labelsThatExist are those that a selector that matched nothing could have asked for, the
// commonest first: tier=backend (3), tier=frontend.
func (r *run) labelsThatExist(which int, items []manifest.Item) string {
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
		for _, c := range selection.NewCandidates(objectOf(item, object), kind, object) {
			for label := range r.selections[which].LabelsOf(c) {
				counts[label]++
			}
		}
	}
	labels := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return showLabels(labels, counts)
}

func showLabels(labels []string, counts map[string]int) string {
	labels = slices.DeleteFunc(labels, func(l string) bool { return len(l) > maxLabelBytes })
	if len(labels) == 0 {
		return "none of them has labels"
	}
	shown := make([]string, 0, maxLabelsShown+1)
	for i, label := range labels {
		if i == maxLabelsShown {
			shown = append(shown, fmt.Sprintf("and %d more", len(labels)-i))
			break
		}
		if counts[label] > 1 {
			label += fmt.Sprintf(" (%d)", counts[label])
		}
		shown = append(shown, label)
	}
	return "the labels that exist are " + strings.Join(shown, ", ")
}
