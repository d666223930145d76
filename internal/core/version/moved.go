package version

import (
	"math"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Moved returns what of the owners changed positions with others from one version of a pod template to the next.
func Moved(before, after *node.Node, owners []stamp.Owner) map[stamp.Address]bool {
	if before == after {
		return nil
	}
	all := map[stamp.Address]bool{}
	isDone := map[string]bool{}
	were := stamp.NewView(before)
	are := stamp.NewView(after)
	values := joinedBy(owners)
	for at := range added(owners) {
		if isDone[at.Path] {
			continue
		}
		isDone[at.Path] = true
		for _, key := range moved(values.keysIn(were, at.Path), values.keysIn(are, at.Path)) {
			all[stamp.Address{Path: at.Path, Key: key}] = true
		}
	}
	return all
}

// moved returns the keys that changed positions.
func moved(were, are []string) []string {
	old := make(map[string]int, len(were))
	for i, key := range were {
		old[key] = i
	}
	var keys []string
	var indexes []int // the old ones, in the new order
	for _, key := range are {
		if i, isKnown := old[key]; isKnown {
			keys = append(keys, key)
			indexes = append(indexes, i)
		}
	}
	var moved []string
	highest := -1
	lowest := lowestBehind(indexes)
	for i, key := range keys {
		if indexes[i] < highest || indexes[i] > lowest[i] {
			moved = append(moved, key)
		}
		highest = max(highest, indexes[i])
	}
	return moved
}

// lowestBehind returns for each of the indexes the lowest one behind it. Negative indexes do not count.
func lowestBehind(indexes []int) []int {
	all := make([]int, len(indexes))
	lowest := math.MaxInt
	for i := len(indexes) - 1; i >= 0; i-- {
		all[i] = lowest
		if indexes[i] >= 0 {
			lowest = min(lowest, indexes[i])
		}
	}
	return all
}
