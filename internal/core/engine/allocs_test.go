//go:build !race

// The race detector allocates as well.

package engine_test

import (
	"context"
	"io"
	"testing"

	"pillion.dev/pillion/internal/core/engine"
)

// TestAWorkloadTakesFewAllocations bounds the allocations of a run by what a workload adds to them. Allocations take
// most of the time that is not spent on reading and writing text, and creep back unnoticed.
func TestAWorkloadTakesFewAllocations(t *testing.T) {
	const few, many, most = 20, 120, 110
	count := func(workloads int) float64 {
		text := []byte(stream(workloads))
		return testing.AllocsPerRun(5, func() {
			if r, err := engine.Run(context.Background(), text, io.Discard); err != nil || r.Failed() {
				t.Fatal(err, r.Findings())
			}
		})
	}
	if each := (count(many) - count(few)) / (many - few); each > most {
		t.Errorf("each workload takes %.0f allocations, and the most is %d: compare memory profiles to find what is new", each, most)
	} else {
		t.Logf("each workload takes %.0f allocations", each)
	}
}
