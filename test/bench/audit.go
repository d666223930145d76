package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"pillion.dev/pillion/test/livepods"
)

var (
	timesDecoding = limits{floor: 2, goal: 1}
	auditMemory   = limits{floor: 3, goal: 2}
)

// audit measures pillion audit on the pods of a large cluster, next to a program that only looks for the sidecar.
func audit(shop *workshop) (t table, goals []goal, err error) {
	const runs = 3
	config := filepath.Join(shop.dir, "audit.yaml")
	if err := os.WriteFile(config, []byte(livepods.Injector), 0o644); err != nil {
		return t, nil, err
	}
	var all []*contestant
	for _, n := range shop.plan.audited {
		var counts map[string]int
		pods, err := writeInput(filepath.Join(shop.dir, "pods.json"), func(w *bufio.Writer) (err error) {
			counts, err = livepods.Write(w, n)
			return err
		})
		if err != nil {
			return t, nil, err
		}
		pillion := &contestant{
			name: "pillion audit", path: shop.pillion, args: []string{"audit", "-c", config, "-f", "-", "-o", "json"},
			exit: 1, runs: runs, reads: pods,
			check: holdsStates(counts),
		}
		decode := &contestant{
			name: "decode into Kubernetes' types", path: shop.decode, args: []string{"envoy"}, runs: runs, reads: pods,
			check: holds(1, fmt.Sprintf("%d pods, ", n)),
		}
		at := thousands(n) + " pods"
		if err := shop.measure(&t, at+", "+megabytes(pods.bytes), pillion, decode, shop.copying(pods, runs)); err != nil {
			return t, nil, err
		}
		goals = append(goals, timeGoal("time of an audit, times decoding the pods", at, timesDecoding, decode, pillion), goal{
			name: "peak memory of an audit, as a multiple of the input", at: at, limits: auditMemory, measured: pillion.memoryMultiple(),
		})
		all = append(all, pillion)
	}
	return t, append(goals, growthGoal("time per pod, times that of the fewest pods", "pods", shop.plan.audited, all)), nil
}

// holdsStates checks how many pods are in each state.
func holdsStates(counts map[string]int) check {
	return func(output string) error {
		for _, state := range []string{"missing", "stale", "unexpected", "refused", "current", "skipped"} {
			if err := holds(counts[state], fmt.Sprintf("%q: %q", "state", state))(output); err != nil {
				return err
			}
		}
		return nil
	}
}
