package main

import (
	"cmp"
	"slices"
	"time"
)

// run is the measurement of one run of a contestant.
type run struct{ wall, processor time.Duration }

func byWall(a, b run) int { return cmp.Compare(a.wall, b.wall) }

func (c *contestant) measured() bool { return len(c.taken) > 0 }

// fastest returns the run that was disturbed the least.
func (c *contestant) fastest() run { return slices.MinFunc(c.taken, byWall) }

func (c *contestant) median() time.Duration {
	sorted := slices.SortedFunc(slices.Values(c.taken), byWall)
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1].wall + sorted[middle].wall) / 2
	}
	return sorted[middle].wall
}

// keptWaiting reports whether the machine was busy even in the fastest run. A contestant computes all the time, so that its elapsed
// time is its processor time, except for the few milliseconds of starting and ending a process.
func (c *contestant) keptWaiting() bool {
	fastest := c.fastest()
	return fastest.wall > fastest.processor*5/4+10*time.Millisecond
}

// timesFaster returns the fastest run of the other contestant divided by the fastest run of this one. Whatever disturbs a run
// makes it slower, so that the fastest runs vary less than medians do. Only the rounds in which both ran count: more runs are more
// chances to be fast.
func (c *contestant) timesFaster(other *contestant) float64 {
	both := min(len(c.taken), len(other.taken))
	return float64(slices.MinFunc(other.taken[:both], byWall).wall) / float64(slices.MinFunc(c.taken[:both], byWall).wall)
}

// memoryMultiple returns the peak memory as a multiple of the size of the input.
func (c *contestant) memoryMultiple() float64 {
	return float64(c.peakBytes) / float64(c.reads.bytes)
}
