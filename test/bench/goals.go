package main

// goal is a cell of the project's table of goals, with the measured value.
type goal struct {
	name, at string
	limit    float64
	bound    bound
	measured float64
	// doubtful is whether the machine was too busy to measure.
	doubtful bool
}

type bound int

const (
	atLeast bound = iota
	atMost
)

func (g goal) missed() bool {
	if g.bound == atLeast {
		return g.measured < g.limit
	}
	return g.measured > g.limit
}

func goalsTable(goals []goal) table {
	var t table
	t.add("goal", "at", "wanted", "measured", "")
	bounds := map[bound]string{atLeast: "at least ", atMost: "at most "}
	for _, g := range goals {
		verdict := "pass"
		if g.missed() {
			verdict = "FAIL"
		}
		if g.doubtful {
			verdict = "~" + verdict
		}
		t.add(g.name, g.at, bounds[g.bound]+factor(g.limit), factor(g.measured), verdict)
	}
	return t
}
