package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// growth leaves room for noise: quadratic time would be a factor of 50 at the last of the sizes.
var growth = limits{floor: 1.5, goal: 1.5}

// scaling shows that double the input takes double the time.
func scaling(shop *workshop, settings settings) (table, []goal, error) {
	sizes := settings.plan.scaled
	contestants := make([]*contestant, 0, len(sizes))
	for _, n := range sizes {
		list, err := writeList(filepath.Join(shop.dir, fmt.Sprintf("scaling-%d.yaml", n)), n, injector)
		if err != nil {
			return table{}, nil, err
		}
		contestants = append(contestants, &contestant{
			name: "pillion, " + thousands(n) + " workloads", path: shop.pillion, reads: list, check: holdsSidecars(n), runs: settings.runs(3),
		})
	}
	if err := takeTurns(shop, "scaling", contestants); err != nil {
		return table{}, nil, err
	}
	var t table
	t.add("scaling", "input", "fastest", "median", "processor", "per workload", "peak memory", "x input", "runs")
	perWorkload := make([]time.Duration, len(contestants))
	for i, c := range contestants {
		perWorkload[i] = c.fastest().wall / time.Duration(sizes[i])
		t.add(thousands(sizes[i])+" workloads", megabytes(c.reads.bytes),
			c.timeCell(), c.medianCell(), c.processorCell(), microseconds(perWorkload[i]),
			c.peakCell(), c.multipleCell(), c.runsCell())
	}
	last := len(contestants) - 1
	return t, []goal{{
		name: "time per workload, times that at " + thousands(sizes[0]), at: thousands(sizes[last]) + " workloads",
		limits: growth, bound: atMost, measured: float64(perWorkload[last]) / float64(perWorkload[0]),
		doubtful: contestants[0].keptWaiting() || contestants[last].keptWaiting(),
	}}, nil
}

func microseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f µs", float64(d.Nanoseconds())/1e3)
}
