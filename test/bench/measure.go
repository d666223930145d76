package main

import (
	"slices"
	"time"
)

// run is what one run of a contestant took.
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

// keptWaiting tells a busy machine: a contestant computes all the time, so that it takes no longer than the processor
// works for it, but for the few milliseconds of starting and ending a process.
func (c *contestant) keptWaiting() bool {
	return c.median() > c.medianProcessor()*5/4+10*time.Millisecond
}

// timesFaster is how many times the other's median is of this one's.
func (c *contestant) timesFaster(other *contestant) float64 {
	return float64(other.median()) / float64(c.median())
}

// memoryMultiple is the peak memory in multiples of the input.
func (c *contestant) memoryMultiple() float64 {
	return float64(c.peakBytes) / float64(c.reads.bytes)
}
