package main

import (
	"fmt"
	"path/filepath"
)

// size is a column of the project's table of goals. The number of runs keeps the whole benchmark within minutes.
type size struct {
	workloads, runs, kustomizeRuns       int
	fasterThanMerge, fasterThanReadWrite float64
	memoryMultiple                       float64 // 0 where the start of the process is most of it
}

var sizes = []size{
	{workloads: 10, runs: 21, kustomizeRuns: 21, fasterThanMerge: 10, fasterThanReadWrite: 2},
	{workloads: 1000, runs: 5, kustomizeRuns: 2, fasterThanMerge: 20, fasterThanReadWrite: 5, memoryMultiple: 12},
	{workloads: 5000, runs: 3, kustomizeRuns: 1, fasterThanMerge: 30, fasterThanReadWrite: 8, memoryMultiple: 8},
}

func (s size) resources() int { return s.workloads * resourcesPerWorkload }

// field is the contestants of one size.
type field struct {
	pillion, stamping, merge, readWrite, copy *contestant
	plainBuild, patchedBuild                  *contestant
}

func (f field) all() []*contestant {
	return []*contestant{f.pillion, f.stamping, f.merge, f.readWrite, f.plainBuild, f.patchedBuild, f.copy}
}

// compare measures all contestants adding the same container and the same volume to the same workloads.
func compare(shop *workshop, settings settings) (table, []goal, error) {
	t := comparisonHead("comparison")
	var goals []goal
	for _, s := range sizes {
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
		goals = append(goals, f.goals(s)...)
	}
	return t, goals, nil
}

func newField(shop *workshop, settings settings, s size) (field, error) {
	// The other contestants record nothing, so Pillion writes no stamp where it is compared with them.
	list, err := writeList(filepath.Join(shop.dir, "list.yaml"), s.workloads, injector+"  stamp: None\n")
	if err != nil {
		return field{}, err
	}
	stamped, err := writeList(filepath.Join(shop.dir, "stamped.yaml"), s.workloads, injector)
	if err != nil {
		return field{}, err
	}
	runs := settings.runs(s.runs)
	f := field{
		pillion:   &contestant{name: "pillion", path: shop.pillion, reads: list, sidecars: s.workloads, runs: runs},
		stamping:  &contestant{name: "pillion, with its stamps", path: shop.pillion, reads: stamped, sidecars: s.workloads, runs: runs},
		merge:     &contestant{name: "kyaml read + merge2 + write", path: shop.kyaml, reads: list, sidecars: s.workloads, runs: runs},
		readWrite: &contestant{name: "kyaml read + write, nothing done", path: shop.kyaml, args: []string{"read-write"}, reads: list, runs: runs},
		copy:      &contestant{name: "the limit: read all bytes, write them", path: shop.copy, reads: list, runs: runs},
	}
	if f.plainBuild, err = newBuild(shop, settings, s, "kustomize build, no patch", false); err != nil {
		return field{}, err
	}
	f.patchedBuild, err = newBuild(shop, settings, s, "kustomize build, with the patch", true)
	return f, err
}

// newBuild returns kustomize as a contestant. It reads documents, while functions read a ResourceList.
func newBuild(shop *workshop, settings settings, s size, name string, patched bool) (*contestant, error) {
	c := &contestant{name: name, path: shop.kustomize, fromFile: true, runs: settings.runs(s.kustomizeRuns)}
	if c.absent = shop.noKustomize; c.absent != "" {
		return c, nil
	}
	if s.resources() > settings.kustomizeMax {
		c.absent = fmt.Sprintf("not run: its time grows nearly with the square; -kustomize-max %d runs it", s.resources())
		return c, nil
	}
	dir := filepath.Join(shop.dir, fmt.Sprintf("kustomize-%d-%t", s.workloads, patched))
	var err error
	if c.reads, err = writeKustomization(dir, s.workloads, patched); err != nil {
		return nil, err
	}
	c.args = []string{"build", dir}
	if patched {
		c.sidecars = s.workloads
	}
	return c, nil
}

func comparisonHead(title string) table {
	var t table
	t.add(title, "median", "processor", "ratio", "peak memory", "x input", "runs")
	return t
}

func (f field) addTo(t *table) {
	for _, c := range f.all() {
		addComparison(t, c, f.pillion)
		if c == f.patchedBuild && c.measured() {
			patch := c.median() - f.plainBuild.median()
			t.add("kustomize, what the patch adds", difference(patch), "", factor(float64(patch)/float64(f.pillion.median())))
		}
	}
}

func addComparison(t *table, c, reference *contestant) {
	if !c.measured() {
		t.addNote(c.name, c.absent)
		return
	}
	t.add(c.name, c.timeCell(), duration(c.medianProcessor()), factor(reference.timesFaster(c)), c.peakCell(), c.multipleCell(), c.runsCell())
}

func (f field) goals(s size) []goal {
	at := thousands(s.resources()) + " resources"
	goals := []goal{
		{
			name: "times faster than kyaml + merge2", at: at, limit: s.fasterThanMerge, bound: atLeast,
			measured: f.pillion.timesFaster(f.merge), doubtful: f.pillion.keptWaiting() || f.merge.keptWaiting(),
		},
		{
			name: "times faster than kyaml read + write alone", at: at, limit: s.fasterThanReadWrite, bound: atLeast,
			measured: f.pillion.timesFaster(f.readWrite), doubtful: f.pillion.keptWaiting() || f.readWrite.keptWaiting(),
		},
	}
	if s.memoryMultiple > 0 {
		goals = append(goals, goal{
			name: "peak memory, as a multiple of the input", at: at, limit: s.memoryMultiple, bound: atMost,
			measured: f.pillion.memoryMultiple(),
		})
	}
	return goals
}
