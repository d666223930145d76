package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// plan is the number of workloads or pods in the inputs of each section. Tests use a small one.
type plan struct {
	started, injected int
	rerun             int
	sizes             []size
	scaled, audited   []int
	bases, overlaid   int
	filed             int
	watched           int
}

// fullPlan has the sizes of the project's table of goals.
var fullPlan = plan{
	started:  10,
	injected: 1000,
	rerun:    5000,
	sizes: []size{
		{workloads: 10, runs: 41, kyamlRuns: 21, faster: limits{11, 14, true}},
		{
			workloads: 1000, runs: 41, kyamlRuns: 5, faster: limits{45, 80, true},
			memory: limits{floor: 3, goal: 2.2},
		},
		{
			workloads: 5000, runs: 15, kyamlRuns: 3, faster: limits{60, 100, true},
			memory: limits{floor: 2.5, goal: 2}, copying: limits{goal: 4},
		},
	},
	scaled:   []int{1000, 2000, 5000, 10000, 20000, 50000},
	bases:    20,
	overlaid: 200,
	filed:    40000,
	audited:  []int{10000, 50000},
	watched:  50000,
}

// size is a part of the comparison. The programs that take seconds run less often, so that the whole benchmark takes
// minutes. A limit of 0 is no goal at this size. The first size must be the smallest: its memory is that of starting
// the program.
type size struct {
	workloads, runs, kyamlRuns int
	faster, memory, copying    limits
}

var (
	timesEmpty    = limits{floor: 3.6, goal: 2.5}
	runTimesEmpty = limits{floor: 6, goal: 2.5}
	timesOne      = limits{floor: 2, goal: 1.5}
	timesFirst    = limits{floor: 1.2, goal: 1}
	// growth leaves room for noise: quadratic time would be a factor of 50 at the last of the sizes.
	growth = limits{floor: 1.5, goal: 1.5}
)

// injecting returns Pillion with a list of n workloads, each of which gets a number of sidecars.
func (w *workshop) injecting(name string, runs, n int, config string, sidecars int) (*contestant, error) {
	list, err := writeList(filepath.Join(w.dir, name+".yaml"), n, config)
	return &contestant{name: name, path: w.pillion, reads: list, check: holds(n*sidecars, sidecarImage), runs: runs}, err
}

// startup measures a run with hardly any work.
func startup(shop *workshop) (t table, goals []goal, err error) {
	const runs = 101
	few, err := shop.injecting(fmt.Sprintf("pillion, %d workloads", shop.plan.started), runs, shop.plan.started, injector, 1)
	if err != nil {
		return t, nil, err
	}
	version := &contestant{
		name: "pillion version", path: shop.pillion, args: []string{"version"}, runs: runs, check: holds(1, runtime.Version()),
	}
	empty := &contestant{name: "the limit: an empty Go program", path: shop.empty, runs: runs}
	if err := shop.measure(&t, "start-up", few, version, empty); err != nil {
		return t, nil, err
	}
	return t, []goal{
		timeGoal("time of pillion version, times an empty program", "start-up", timesEmpty, empty, version),
		timeGoal("time of a run, times an empty program", thousands(shop.plan.started)+" workloads", runTimesEmpty, empty, few),
	}, nil
}

// injectors compares many injectors, two of which select each workload, with one that selects them all.
func injectors(shop *workshop) (t table, goals []goal, err error) {
	const runs, count = 21, 2 * teams
	n := shop.plan.injected
	one, err := shop.injecting("1 injector", runs, n, injector, 1)
	if err != nil {
		return t, nil, err
	}
	many, err := shop.injecting(fmt.Sprintf("%d injectors, 2 for each workload", count), runs, n, injectorList(count), 2)
	if err != nil {
		return t, nil, err
	}
	at := thousands(n) + " workloads"
	if err := shop.measure(&t, "injectors, "+at, one, many); err != nil {
		return t, nil, err
	}
	return t, []goal{timeGoal(fmt.Sprintf("time with %d injectors, times with one", count), at, timesOne, one, many)}, nil
}

// rerun compares a run that changes nothing with the one before it.
func rerun(shop *workshop) (t table, goals []goal, err error) {
	const runs = 15
	n := shop.plan.rerun
	first, err := shop.injecting("first run", runs, n, injector, 1)
	if err != nil {
		return t, nil, err
	}
	injected := input{path: filepath.Join(shop.dir, "injected.yaml")}
	if err := first.run(injected.path); err != nil {
		return t, nil, err
	}
	info, err := os.Stat(injected.path)
	if err != nil {
		return t, nil, err
	}
	injected.bytes = info.Size()
	again := &contestant{name: "second run", path: shop.pillion, reads: injected, check: first.check, runs: runs}
	at := thousands(n) + " workloads"
	if err := shop.measure(&t, "rerun, "+at, first, again); err != nil {
		return t, nil, err
	}
	perByte := func(c *contestant) float64 { return c.leastProcessor().Seconds() / float64(c.reads.bytes) }
	return t, []goal{{
		name: "processor time per byte of a second run, times that of the first", at: at, limits: timesFirst,
		measured: perByte(again) / perByte(first),
	}}, nil
}

// compare measures all contestants adding the same container and the same volume to the same workloads. Only Pillion
// records what it did.
func compare(shop *workshop) (t table, goals []goal, err error) {
	var startBytes int64
	for i, s := range shop.plan.sizes {
		pillion, err := shop.injecting("pillion", s.runs, s.workloads, injector, 1)
		if err != nil {
			return t, nil, err
		}
		list := pillion.reads
		merge := &contestant{name: "kyaml read + merge2 + write", path: shop.kyaml, reads: list, runs: s.kyamlRuns, check: pillion.check}
		readWrite := &contestant{
			name: "kyaml read + write, nothing done", path: shop.kyaml, args: []string{"read-write"}, reads: list, runs: s.kyamlRuns,
			check: holds(s.workloads, workloadLine),
		}
		tokens := &contestant{
			name: "C's libyaml, only tokens", path: shop.tokens, reads: list, runs: s.runs, check: holds(1, " tokens"), absent: shop.noTokens,
		}
		copying := shop.copying(list, s.runs)
		at := thousands(s.workloads*resourcesPerWorkload) + " resources"
		if err := shop.measure(&t, at+", "+megabytes(list.bytes), pillion, merge, readWrite, tokens, copying); err != nil {
			return t, nil, err
		}
		if tokens.absent == "" {
			t.add("pillion, times libyaml's processor time", "", "",
				factor(float64(pillion.fastest().processor)/float64(tokens.fastest().processor)))
		}
		if i == 0 {
			startBytes = pillion.peakBytes
		}
		goals = append(goals,
			timeGoal("times faster than kyaml + merge2", at, s.faster, pillion, merge),
			goal{
				name: "peak memory less that of 30 resources, times the input", at: at, limits: s.memory,
				measured: float64(pillion.peakBytes-startBytes) / float64(list.bytes),
			},
			timeGoal("time, times that of copying the bytes", at, s.copying, copying, pillion))
	}
	return t, slices.DeleteFunc(goals, func(g goal) bool { return g.limits == limits{} }), nil
}

// copying returns the limit for every program that reads all of its input before it writes.
func (w *workshop) copying(reads input, runs int) *contestant {
	return &contestant{
		name: "the limit: read all bytes, write them", path: w.copy, reads: reads, runs: runs, check: holdsBytes(reads.bytes),
	}
}

// scaling shows that double the input takes double the time.
func scaling(shop *workshop) (t table, goals []goal, err error) {
	var all []*contestant
	for _, n := range shop.plan.scaled {
		c, err := shop.injecting("pillion, "+thousands(n)+" workloads", 3, n, injector, 1)
		if err != nil {
			return t, nil, err
		}
		all = append(all, c)
	}
	if err := shop.measure(&t, "scaling", all...); err != nil {
		return t, nil, err
	}
	return t, []goal{growthGoal("time per workload, times that at "+thousands(shop.plan.scaled[0]), "workloads", shop.plan.scaled, all)}, nil
}

// growthGoal compares the time for each of many things with that for each of few.
func growthGoal(name, things string, counts []int, all []*contestant) goal {
	last := len(counts) - 1
	g := timeGoal(name, thousands(counts[last])+" "+things, growth, all[0], all[last])
	g.measured *= float64(counts[0]) / float64(counts[last])
	return g
}
