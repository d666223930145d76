package main

// plan is the number of workloads, or of files, in the inputs of each section. Tests use a small one.
type plan struct {
	started   int
	injected  int
	sizes     []size
	shaped    int
	files     int
	explained int
	scaled    []int
	audited   []int
	watched   int
}

// fullPlan has the sizes of the project's table of goals.
var fullPlan = plan{
	started:  10,
	injected: 1000,
	sizes: []size{
		{workloads: 10, runs: 41, kyamlRuns: 21, kustomizeRuns: 7, faster: limits{11, 14}},
		{workloads: 1000, runs: 41, kyamlRuns: 5, kustomizeRuns: 1, faster: limits{45, 80}, memory: limits{3, 2.2}, stamps: limits{1.1, 1.05}},
		{workloads: 5000, runs: 15, kyamlRuns: 3, kustomizeRuns: 1, faster: limits{60, 100}, memory: limits{2.5, 2}, copying: limits{0, 4}},
	},
	shaped:    1000,
	files:     5000,
	explained: 5000,
	scaled:    []int{1000, 2000, 5000, 10000, 20000, 50000},
	audited:   []int{10000, 50000},
	watched:   50000,
}

// size is a part of the comparison. The programs that take seconds run less often, so that the whole benchmark takes minutes.
// A limit of 0 is no goal at this size. The first size must be the smallest: its memory is that of starting the program.
type size struct {
	workloads, runs, kyamlRuns, kustomizeRuns int
	faster, memory, stamps, copying           limits
}

func (s size) resources() int { return s.workloads * resourcesPerWorkload }
