package main

// goal is a row of the project's table of goals, with the measured value.
type goal struct {
	name, at string
	limits   limits
	bound    bound
	measured float64
	// doubtful is whether the machine was too busy to measure.
	doubtful bool
}

// timeGoal returns a goal for how many times as long one contestant takes as another.
func timeGoal(name, at string, limits limits, bound bound, one, other *contestant) goal {
	return goal{
		name: name, at: at, limits: limits, bound: bound,
		measured: one.timesFaster(other), doubtful: one.keptWaiting() || other.keptWaiting(),
	}
}

// limits are the value that must be reached, or 0 if there is none, and the value that the project wants to reach.
type limits struct{ floor, goal float64 }

type bound int

const (
	atLeast bound = iota
	atMost
)

func (b bound) reached(measured, limit float64) bool {
	if b == atLeast {
		return measured >= limit
	}
	return measured <= limit
}

func (b bound) cell(limit float64) string {
	switch {
	case limit == 0:
		return "-"
	case b == atLeast:
		return ">= " + exact(limit)
	default:
		return "<= " + exact(limit)
	}
}

func (g goal) missed() bool {
	return g.limits.floor != 0 && !g.bound.reached(g.measured, g.limits.floor)
}

func (g goal) verdict() string {
	switch {
	case g.missed():
		return "FAIL"
	case g.bound.reached(g.measured, g.limits.goal):
		return "goal"
	case g.limits.floor == 0:
		return "open"
	default:
		return "floor"
	}
}

func goalsTable(goals []goal) table {
	var t table
	t.add("goals", "at", "floor", "goal", "measured", "")
	for _, g := range goals {
		verdict := g.verdict()
		if g.doubtful {
			verdict = "~" + verdict
		}
		t.add(g.name, g.at, g.bound.cell(g.limits.floor), g.bound.cell(g.limits.goal), exact(g.measured), verdict)
	}
	return t
}
