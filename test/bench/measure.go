package main

import (
	"slices"
	"time"
)

// run is the measurement of one run of a contestant.
type run struct{ wall, processor time.Duration }

func (c *contestant) measured() bool { return len(c.taken) > 0 }

func (c *contestant) median() time.Duration {
	return c.medianOf(func(r run) time.Duration { return r.wall })
}

func (c *contestant) medianProcessor() time.Duration {
	return c.medianOf(func(r run) time.Duration { return r.processor })
}

func (c *contestant) medianOf(part func(run) time.Duration) time.Duration {
	parts := make([]time.Duration, len(c.taken))
	for i, r := range c.taken {
		parts[i] = part(r)
	}
	slices.Sort(parts)
	middle := len(parts) / 2
	if len(parts)%2 == 0 {
		return (parts[middle-1] + parts[middle]) / 2
	}
	return parts[middle]
}

// keptWaiting reports whether the machine was busy. A contestant computes all the time, so that its elapsed time is its processor
// time, except for the few milliseconds of starting and ending a process.
func (c *contestant) keptWaiting() bool {
	return c.median() > c.medianProcessor()*5/4+10*time.Millisecond
}

// timesFaster returns the median of the other contestant divided by the median of this one.
func (c *contestant) timesFaster(other *contestant) float64 {
	return float64(other.median()) / float64(c.median())
}

// memoryMultiple returns the peak memory as a multiple of the size of the input.
func (c *contestant) memoryMultiple() float64 {
	return float64(c.peakBytes) / float64(c.reads.bytes)
}
