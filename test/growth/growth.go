// Package growth checks in tests that work takes time in proportion to its input. It compares processor times, not
// times of a clock, so that a busy machine changes little. Where counting is enough, such as by testing.AllocsPerRun,
// tests count instead.
package growth

import (
	"math"
	"testing"
	"time"
)

// Linear fails a test if work on an input that is times as large takes much more than times as long. A fault whose time
// grows with the square takes times*times as long.
//
// Each function does the work once and returns its processor time, as [Of] does. What is compared is the smallest of
// several runs, because others share the processor's caches. The smaller input should take some milliseconds.
func Linear(t *testing.T, what string, times float64, few, many func() time.Duration) {
	t.Helper()
	const (
		most = 2.5                   // 10 times as long for 4 times the input, where the square would be 16
		once = 30 * time.Millisecond // for what happens only in a large input, such as an error about its size
		runs = 5
	)
	short := time.Duration(math.MaxInt64)
	long := short
	for range runs {
		short = min(short, few(), few())
		long = min(long, many())
		if long.Seconds() < most*times*short.Seconds()+once.Seconds() {
			return
		}
	}
	t.Errorf("%s: %.0f times the input takes %s instead of %s", what, times, long, short)
}

// Of returns the processor time that this process takes for work, without the time in which it waits for others.
func Of(t *testing.T, work func()) time.Duration {
	t.Helper()
	before := processorTime(t)
	work()
	return processorTime(t) - before
}
