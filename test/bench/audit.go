package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"pillion.dev/pillion/test/livepods"
)

var (
	timesDecoding = limits{floor: 2, goal: 1}
	auditMemory   = limits{floor: 3, goal: 2}
)

// audit measures pillion audit on the pods of a large cluster, next to programs that only look for the sidecar.
func audit(shop *workshop, settings settings) (table, []goal, error) {
	var goals []goal
	t := comparisonHead("audit")
	var perPod []time.Duration
	for _, n := range settings.plan.audited {
		f, err := newAuditField(shop, settings, n)
		if err != nil {
			return table{}, nil, err
		}
		title := thousands(n) + " pods"
		if err := takeTurns(shop, title, f.all()); err != nil {
			return table{}, nil, err
		}
		t.add()
		t.add(title + ", " + megabytes(f.pillion.reads.bytes))
		for _, c := range f.all() {
			addComparison(&t, c, f.pillion)
		}
		goals = append(goals,
			timeGoal("time of an audit, times decoding the pods", title, timesDecoding, atMost, f.decode, f.pillion),
			goal{
				name: "peak memory of an audit, as a multiple of the input", at: title, limits: auditMemory, bound: atMost,
				measured: f.pillion.memoryMultiple(),
			})
		perPod = append(perPod, f.pillion.fastest().wall/time.Duration(n))
		if err := os.Remove(f.pillion.reads.path); err != nil { // the largest file of the benchmark
			return table{}, nil, err
		}
	}
	last := len(perPod) - 1
	return t, append(goals, goal{
		name: "time per pod, times that of the fewest pods", at: thousands(settings.plan.audited[last]) + " pods", limits: growth, bound: atMost,
		measured: float64(perPod[last]) / float64(perPod[0]),
	}), nil
}

// auditField is the contestants that read the same pods.
type auditField struct{ pillion, decode, jq, copy *contestant }

func (f auditField) all() []*contestant { return []*contestant{f.pillion, f.decode, f.jq, f.copy} }

func newAuditField(shop *workshop, settings settings, n int) (auditField, error) {
	pods, counts, err := writePods(filepath.Join(shop.dir, "pods.json"), n)
	if err != nil {
		return auditField{}, err
	}
	config := filepath.Join(shop.dir, "audit.yaml")
	if err := os.WriteFile(config, []byte(livepods.Injector), 0o644); err != nil {
		return auditField{}, err
	}
	const query = `[.items[] | select(all(.spec.containers[]; .name != "envoy"))] | length`
	f := auditField{
		pillion: &contestant{
			name: "pillion audit", path: shop.pillion, args: []string{"audit", "-c", config, "-o", "json"}, exit: 1, check: holdsStates(counts),
		},
		decode: &contestant{
			name: "decode into Kubernetes' types", path: shop.decode, args: []string{"envoy"}, check: holds(1, fmt.Sprintf("%d pods, ", n)),
		},
		jq:   &contestant{name: "jq, which pods lack the container", path: "jq", args: []string{query}},
		copy: copying(shop, pods, settings.runs(3)),
	}
	if _, err := exec.LookPath(f.jq.path); err != nil {
		f.jq.absent = "not run: there is no jq"
	} else if n > settings.jqMax {
		f.jq.absent = fmt.Sprintf("not run: it takes ten times the input in memory; -jq-max %d runs it", n)
	}
	for _, c := range f.all() {
		c.reads, c.runs = pods, settings.runs(3)
	}
	return f, nil
}

// writePods writes n live pods, and returns how many are in each state.
func writePods(path string, n int) (input, map[string]int, error) {
	file, err := os.Create(path)
	if err != nil {
		return input{}, nil, err
	}
	defer file.Close() //nolint:errcheck // Write returns the errors of writing
	counts, err := livepods.Write(file, n)
	if err != nil {
		return input{}, nil, err
	}
	written, err := file.Stat()
	if err != nil {
		return input{}, nil, err
	}
	return input{path: path, bytes: written.Size()}, counts, nil
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
