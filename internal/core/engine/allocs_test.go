//go:build !race

// The race detector allocates as well.

package engine_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/engine"
)

// TestAWorkloadTakesFewAllocations bounds the allocations of a run by what a workload adds to them, the first time and
// once it is injected. Allocations take most of the time that is not spent on reading and writing text, and creep back
// unnoticed.
func TestAWorkloadTakesFewAllocations(t *testing.T) {
	const few, many = 20, 120
	run := func(text []byte, to io.Writer) {
		if r, err := engine.Run(context.Background(), text, to); err != nil || r.Failed() {
			t.Fatal(err, r.Findings())
		}
	}
	first := func(workloads int) []byte { return []byte(stream(workloads)) }
	again := func(workloads int) []byte {
		var injected bytes.Buffer
		run(first(workloads), &injected)
		return injected.Bytes()
	}
	another := strings.NewReplacer("injected-envoy", "injected-other", "name: envoy", "name: other", "name: conf\n", "name: more\n")
	beside := func(workloads int) []byte {
		var injected bytes.Buffer
		run([]byte(another.Replace(stream(workloads))), &injected)
		config, _, _ := strings.Cut(stream(workloads), "items:\n")
		_, items, _ := strings.Cut(injected.String(), "items:\n")
		return []byte(config + "items:\n" + items)
	}
	for _, test := range []struct {
		name string
		of   func(workloads int) []byte
		most float64
	}{{"first run", first, 84}, {"second run", again, 130}, {"beside another run", beside, 200}} {
		count := func(workloads int) float64 {
			text := test.of(workloads)
			return testing.AllocsPerRun(5, func() { run(text, io.Discard) })
		}
		if each := (count(many) - count(few)) / (many - few); each > test.most {
			t.Errorf("%s: each workload takes %.0f allocations, and the most is %.0f: compare memory profiles to find what is new",
				test.name, each, test.most)
		} else {
			t.Logf("%s: each workload takes %.0f allocations", test.name, each)
		}
	}
}
