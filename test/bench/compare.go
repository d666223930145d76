package main

import (
	"fmt"
	"path/filepath"
	"slices"
)

// field is the contestants of one size.
type field struct {
	pillion, stamping, merge, readWrite, tokens, copy *contestant
	plainBuild, patchedBuild                          *contestant
}

func (f field) all() []*contestant {
	return []*contestant{f.pillion, f.stamping, f.merge, f.readWrite, f.plainBuild, f.patchedBuild, f.tokens, f.copy}
}

// compare measures all contestants adding the same container and the same volume to the same workloads.
func compare(shop *workshop, settings settings) (table, []goal, error) {
	t := comparisonHead("comparison")
	var goals []goal
	var startBytes int64
	for i, s := range settings.plan.sizes {
		f, err := newField(shop, settings, s)
		if err != nil {
			return table{}, nil, err
		}
		title := thousands(s.resources()) + " resources"
		if err := takeTurns(shop, title, f.all()); err != nil {
			return table{}, nil, err
		}
		t.add()
		t.add(title + ", " + megabytes(f.pillion.reads.bytes))
		f.addTo(&t)
		if i == 0 {
			startBytes = f.pillion.peakBytes
		}
		goals = append(goals, f.goals(s, startBytes)...)
	}
	return t, goals, nil
}

func newField(shop *workshop, settings settings, s size) (field, error) {
	// The other contestants record nothing, so Pillion writes no stamp where it is compared with them.
	list, err := writeList(filepath.Join(shop.dir, "list.yaml"), s.workloads, plainInjector)
	if err != nil {
		return field{}, err
	}
	stamped, err := writeList(filepath.Join(shop.dir, "stamped.yaml"), s.workloads, injector)
	if err != nil {
		return field{}, err
	}
	f := field{
		pillion:   &contestant{name: "pillion", path: shop.pillion, reads: list},
		stamping:  &contestant{name: "pillion, with its stamps", path: shop.pillion, reads: stamped},
		merge:     &contestant{name: "kyaml read + merge2 + write", path: shop.kyaml, reads: list},
		readWrite: &contestant{name: "kyaml read + write, nothing done", path: shop.kyaml, args: []string{"read-write"}, reads: list},
		tokens:    &contestant{name: "C's libyaml, only tokens", path: shop.tokens, reads: list, absent: shop.noTokens},
		copy:      copying(shop, list, settings.runs(s.runs)),
	}
	for _, c := range []*contestant{f.pillion, f.stamping, f.merge} {
		c.runs, c.check = settings.runs(s.runs), holdsSidecars(s.workloads)
	}
	f.tokens.runs, f.tokens.check = settings.runs(s.runs), holds(1, " tokens")
	f.merge.runs = settings.runs(s.kyamlRuns)
	f.readWrite.runs, f.readWrite.check = settings.runs(s.kyamlRuns), holds(s.workloads, workloadLine)
	if f.plainBuild, err = newBuild(shop, settings, s, "kustomize build, no patch", false); err != nil {
		return field{}, err
	}
	f.patchedBuild, err = newBuild(shop, settings, s, "kustomize build, with the patch", true)
	return f, err
}

// newBuild returns kustomize as a contestant. It reads documents, while functions read a ResourceList.
func newBuild(shop *workshop, settings settings, s size, name string, patched bool) (*contestant, error) {
	c := &contestant{name: name, fromFile: true, runs: settings.runs(s.kustomizeRuns), check: holds(s.workloads, workloadLine)}
	if s.resources() > settings.kustomizeMax {
		c.absent = fmt.Sprintf("not run: its time grows nearly with the square; -kustomize-max %d runs it", s.resources())
		return c, nil
	}
	if c.path, c.absent = shop.buildKustomize(); c.absent != "" {
		return c, nil
	}
	dir := filepath.Join(shop.dir, fmt.Sprintf("kustomize-%d-%t", s.workloads, patched))
	var err error
	if c.reads, err = writeKustomization(dir, s.workloads, patched); err != nil {
		return nil, err
	}
	c.args = []string{"build", dir}
	if patched {
		c.check = holdsSidecars(s.workloads)
	}
	return c, nil
}

func comparisonHead(title string) table {
	var t table
	t.add(title, "fastest", "median", "processor", "ratio", "peak memory", "x input", "runs")
	return t
}

// against measures contestants, and returns a table that compares them with the first.
func against(shop *workshop, title string, contestants ...*contestant) (table, error) {
	if err := takeTurns(shop, title, contestants); err != nil {
		return table{}, err
	}
	t := comparisonHead(title)
	for _, c := range contestants {
		addComparison(&t, c, contestants[0])
	}
	return t, nil
}

func (f field) addTo(t *table) {
	for _, c := range f.all() {
		addComparison(t, c, f.pillion)
		if c == f.patchedBuild && c.measured() {
			patch := c.fastest().wall - f.plainBuild.fastest().wall
			t.add("kustomize, what the patch adds", difference(patch), "", "", factor(float64(patch)/float64(f.pillion.fastest().wall)))
		}
		if c == f.tokens && c.measured() {
			t.add("pillion, times libyaml's processor time", "", "", factor(float64(f.pillion.fastest().processor)/float64(c.fastest().processor)))
		}
	}
}

func addComparison(t *table, c, reference *contestant) {
	if !c.measured() {
		t.addNote(c.name, c.absent)
		return
	}
	t.add(c.name, c.timeCell(), c.medianCell(), c.processorCell(), factor(reference.timesFaster(c)),
		c.peakCell(), c.multipleCell(), c.runsCell())
}

// goals returns the goals of a size. Memory is what the input takes, beyond that of starting the program.
func (f field) goals(s size, startBytes int64) []goal {
	at := thousands(s.resources()) + " resources"
	all := []goal{
		timeGoal("times faster than kyaml + merge2", at, s.faster, atLeast, f.pillion, f.merge),
		{
			name: "peak memory less that of 30 resources, times the input", at: at, limits: s.memory, bound: atMost,
			measured: float64(f.pillion.peakBytes-startBytes) / float64(f.pillion.reads.bytes),
		},
		timeGoal("time with stamps, times without", at, s.stamps, atMost, f.pillion, f.stamping),
		timeGoal("time, times that of copying the bytes", at, s.copying, atMost, f.copy, f.pillion),
	}
	return slices.DeleteFunc(all, func(g goal) bool { return g.limits == limits{} })
}
