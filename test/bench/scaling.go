package main

import (
	"fmt"
	"path/filepath"
	"time"
)

// mostGrowth leaves room for noise: quadratic time would be a factor of 50 at the last of these sizes.
const mostGrowth = 1.5

var scalingSizes = []int{1000, 2000, 5000, 10000, 20000, 50000}

// scaling shows that double the input takes double the time.
func scaling(shop *workshop, settings settings) (table, []goal, error) {
	contestants := make([]*contestant, 0, len(scalingSizes))
	for _, n := range scalingSizes {
		list, err := writeList(filepath.Join(shop.dir, fmt.Sprintf("scaling-%d.yaml", n)), n, injector)
		if err != nil {
			return table{}, nil, err
		}
		contestants = append(contestants, &contestant{
			name: "pillion, " + thousands(n) + " workloads", path: shop.pillion, reads: list, sidecars: n, runs: settings.runs(3),
		})
	}
	if err := takeTurns(shop, "scaling", contestants); err != nil {
		return table{}, nil, err
	}
	var t table
	t.add("scaling", "input", "median", "processor", "per workload", "peak memory", "x input", "runs")
	perWorkload := make([]time.Duration, len(contestants))
	for i, c := range contestants {
		perWorkload[i] = c.median() / time.Duration(scalingSizes[i])
		t.add(thousands(scalingSizes[i])+" workloads", megabytes(c.reads.bytes),
			c.timeCell(), duration(c.medianProcessor()), microseconds(perWorkload[i]),
			c.peakCell(), c.multipleCell(), c.runsCell())
	}
	last := len(contestants) - 1
	return t, []goal{{
		name: "time per workload, times that at " + thousands(scalingSizes[0]), at: thousands(scalingSizes[last]) + " workloads",
		limit: mostGrowth, bound: atMost, measured: float64(perWorkload[last]) / float64(perWorkload[0]),
		doubtful: contestants[0].keptWaiting() || contestants[last].keptWaiting(),
	}}, nil
}

func microseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f µs", float64(d.Nanoseconds())/1e3)
}
