package outcome

import (
	"cmp"
	"fmt"
	"slices"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/wording"
)

// ChangeCount is a change with the number of workloads that it is made to.
type ChangeCount struct {
	Change    string `json:"change"` // in words
	Workloads int    `json:"workloads"`
}

// String returns the line of a summary: 180 x container envoy: image envoy:v1.33.0 -> envoy:v1.34.1.
func (c ChangeCount) String() string { return fmt.Sprintf("%d x %s", c.Workloads, c.Change) }

// Changes groups equal changes over all workloads, the most frequent first. It includes changes that are not written,
// except those of refused workloads.
func (r Run) Changes() []ChangeCount {
	var all []ChangeCount
	indexes := map[string]int{}
	last := map[string]int{} // the last workload that was counted for a change
	for i, w := range r.Workloads {
		if w.Decision() == decision.Refused {
			continue
		}
		for _, c := range w.generalChanges() {
			text := c.String()
			index, known := indexes[text]
			if !known {
				index = len(all)
				indexes[text] = index
				all = append(all, ChangeCount{Change: text})
			} else if last[text] == i {
				continue
			}
			all[index].Workloads++
			last[text] = i
		}
	}
	slices.SortStableFunc(all, func(a, b ChangeCount) int { return cmp.Compare(b.Workloads, a.Workloads) })
	return all
}

// Changes returns the changes to the workload in words that are the same for other workloads, each once.
func (w *Workload) Changes() []string {
	seen := map[string]bool{}
	return decision.Phrases(slices.DeleteFunc(w.generalChanges(), func(c decision.Change) bool {
		text := c.String()
		isRepeated := seen[text]
		seen[text] = true
		return isRepeated
	}))
}

// generalChanges returns the changes to the workload without the names of its pod templates and of the app's
// containers, and without the values that are joined to variables, because these often have the name of the workload.
func (w *Workload) generalChanges() []decision.Change {
	var changes []decision.Change
	for i := range w.Outcomes {
		for _, c := range w.Outcomes[i].Changes {
			c.Template = ""
			c.Path = wording.AnyContainer(c.Path)
			if _, _, isPart := stamp.JoinedVariable(c.Path); isPart {
				c.Key = ""
			}
			changes = append(changes, c)
		}
	}
	return changes
}
