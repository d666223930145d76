package audit

import (
	"slices"
	"testing"
)

func TestChunksBoundCountsAndBytes(t *testing.T) {
	large := chunkBytes/2 + 1
	for name, c := range map[string]struct {
		bytes []int
		want  []int // the lengths of the parts
	}{
		"none":      {nil, nil},
		"small":     {[]int{1, 1, 1}, []int{3}},
		"many":      {make([]int, chunk+1), []int{chunk, 1}},
		"large":     {[]int{large, large, 1, large}, []int{1, 2, 1}},
		"too large": {[]int{1, chunkBytes + 1, 1}, []int{1, 1, 1}},
	} {
		var got []int
		for part := range chunks(c.bytes, func(n int) int { return n }) {
			got = append(got, len(part))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	for range chunks([]int{chunkBytes, chunkBytes}, func(n int) int { return n }) {
		break
	}
}
