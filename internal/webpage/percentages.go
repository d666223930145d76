package webpage

import (
	"cmp"
	"fmt"
	"slices"
)

// Percentages returns the parts as rounded percentages of their sum. These add up to 100 if less than 1 counts as 1: what is
// left after rounding down is added to those that lost the most by it. Only the whole is 100%.
func Percentages(parts []int) []string {
	whole := 0
	for _, part := range parts {
		whole += part
	}
	shares, left := make([]int, len(parts)), 100
	order := make([]int, len(parts))
	for i, part := range parts {
		shares[i], order[i] = 100*part/whole, i
		left -= max(shares[i], 1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(100*parts[b]%whole, 100*parts[a]%whole) })
	for _, i := range order {
		if left > 0 && shares[i] > 0 {
			shares[i]++
			left--
		}
	}
	words := make([]string, len(parts))
	for i, share := range shares {
		words[i] = fmt.Sprintf("%d%%", share)
		if share == 0 {
			words[i] = "<1%"
		}
	}
	return words
}
