// Package growth checks in tests that work takes time in proportion to its input. It compares processor times of two
// inputs, and no time with a clock: a busy machine or a slow one makes both longer. Where counting is enough, such as by
// testing.AllocsPerRun, tests count instead.
package growth

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// Linear fails a test if work on an input that is times as large takes much more than times as long. A fault whose time
// grows with the square takes times*times as long.
//
// Each function does the work once and returns its processor time, as [Of] does. With 16 times the input, linear work
// has room for 4 times as long as it should take, such as by a collection of garbage that the smaller input does not
// need, and a fault takes 16 times as long. The smaller input should take a millisecond or more.
func Linear(t *testing.T, what string, times float64, few, many func() time.Duration) {
	t.Helper()
	if problem := judge(times, few, many); problem != "" {
		t.Errorf("%s: %s", what, problem)
	}
}

// judge returns why the work is not linear, or nothing. It compares the smallest times of several runs, because
// processes that share the processor's caches, and the garbage collector, only ever add to them. It ends with the first
// runs that are fast enough.
func judge(times float64, few, many func() time.Duration) (problem string) {
	const (
		once = 30 * time.Millisecond // for what happens only in a large input, such as an error about its size
		runs = 5
	)
	short := time.Duration(math.MaxInt64)
	long := short
	most := math.Pow(times, 1.5) // in the middle between linear and the square
	var limit time.Duration
	for range runs {
		short = min(short, few(), few())
		long = min(long, many())
		limit = time.Duration(most*float64(short)) + once
		if long < limit {
			return ""
		}
	}
	return fmt.Sprintf("the input takes %s, and %.0f times the input %s, where less than %s would be linear", short, times, long, limit)
}

// Of returns the processor time that this process takes for work, in all of its threads, without the time in which it
// waits for others. No other test may run in parallel.
func Of(t *testing.T, work func()) time.Duration {
	t.Helper()
	before := processorTime(t)
	work()
	return processorTime(t) - before
}
