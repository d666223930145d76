package main

// goal is a row of the project's table of goals, with the measured value.
type goal struct {
	name, at string
	limits   limits
	measured float64
	// doubtful is whether the machine was too busy to measure.
	doubtful bool
}

// limits are the value that must be reached, or 0 if there is none, and the value that the project wants to reach. They
// are upper limits unless least is set.
type limits struct {
	floor, goal float64
	least       bool
}

// timeGoal returns a goal for how many times as long one contestant takes as another.
func timeGoal(name, at string, limits limits, one, other *contestant) goal {
	return goal{name, at, limits, one.timesFaster(other), one.keptWaiting() || other.keptWaiting()}
}

func (g goal) reaches(limit float64) bool {
	if g.limits.least {
		return g.measured >= limit
	}
	return g.measured <= limit
}

func (g goal) missed() bool { return g.limits.floor != 0 && !g.reaches(g.limits.floor) }

func (g goal) verdict() string {
	switch {
	case g.missed():
		return "FAIL"
	case g.reaches(g.limits.goal):
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
		sign, floor := "<= ", "-"
		if g.limits.least {
			sign = ">= "
		}
		if g.limits.floor != 0 {
			floor = sign + factor(g.limits.floor)
		}
		t.add(g.name, g.at, floor, sign+factor(g.limits.goal), factor(g.measured), busy(g.doubtful)+g.verdict())
	}
	return t
}
