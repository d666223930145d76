package version

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Order puts the lists into which entries were put in order, once all are there. It sorts
// the places by list.
func (v Version) Order(order *stamp.Order, placed []stamp.Placed) {
	w := v.writer()
	slices.SortStableFunc(placed, func(a, b stamp.Placed) int { return strings.Compare(a.Path, b.Path) })
	for len(placed) > 0 {
		path := placed[0].Path
		count := slices.IndexFunc(placed, func(p stamp.Placed) bool { return p.Path != path })
		if count < 0 {
			count = len(placed)
		}
		if !order.IsAppended(path, placed[:count]) {
			list := w.at(path)
			entries := node.List(list.now)
			if made := order.List(path, entries, placed[:count]); !slices.Equal(made, entries) {
				list.own().Content = made
			}
		}
		placed = placed[count:]
	}
}
