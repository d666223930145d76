package main

import (
	"testing"
	"time"
)

func TestVerdicts(t *testing.T) {
	tests := map[string]struct {
		goal goal
		want string
	}{
		"at least the goal":        {goal{limits: limits{60, 100, true}, measured: 100}, "goal"},
		"at least the floor":       {goal{limits: limits{60, 100, true}, measured: 99.9}, "floor"},
		"less than the floor":      {goal{limits: limits{60, 100, true}, measured: 59.9}, "FAIL"},
		"at most the goal":         {goal{limits: limits{1.1, 1.05, false}, measured: 1.05}, "goal"},
		"at most the floor":        {goal{limits: limits{1.1, 1.05, false}, measured: 1.1}, "floor"},
		"more than the floor":      {goal{limits: limits{1.1, 1.05, false}, measured: 1.11}, "FAIL"},
		"no floor, goal reached":   {goal{limits: limits{0, 4, false}, measured: 3}, "goal"},
		"no floor, goal not there": {goal{limits: limits{0, 4, false}, measured: 12}, "open"},
	}
	for name, test := range tests {
		if got := test.goal.verdict(); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
		if test.goal.missed() != (test.want == "FAIL") {
			t.Errorf("%s: missed is %v", name, test.goal.missed())
		}
	}
}

func TestOnlyRoundsOfBothCount(t *testing.T) {
	often := &contestant{taken: []run{{wall: 4 * time.Second}, {wall: 3 * time.Second}, {wall: time.Second}}}
	seldom := &contestant{taken: []run{{wall: 13 * time.Second}, {wall: 12 * time.Second}}}
	if got := often.timesFaster(seldom); got != 4 {
		t.Errorf("got %v, want 4", got)
	}
	if got := often.fastest().wall; got != time.Second {
		t.Errorf("the fastest run took %v", got)
	}
	if got := seldom.median(); got != 12500*time.Millisecond {
		t.Errorf("the median is %v", got)
	}
}
