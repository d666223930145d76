package growth

import (
	"testing"
	"time"
)

func TestOnlyWhatGrowsFasterThanItsInputIsRefused(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		claim     string
		times     float64
		few, many []time.Duration // of one run after the other; the last one stays
		isLinear  bool
	}{
		{"linear work", 16, []time.Duration{10 * ms}, []time.Duration{160 * ms}, true},
		{"linear work with garbage", 16, []time.Duration{10 * ms}, []time.Duration{500 * ms}, true},
		{"the square", 16, []time.Duration{10 * ms}, []time.Duration{2560 * ms}, false},
		{"the square of a short time", 16, []time.Duration{ms}, []time.Duration{256 * ms}, false},
		{"the square of 4 times the input", 4, []time.Duration{10 * ms}, []time.Duration{160 * ms}, false},
		{"work that is disturbed at first", 16, []time.Duration{ms}, []time.Duration{900 * ms, 500 * ms, 20 * ms}, true},
		{"the square behind a disturbance of the smaller input", 16, []time.Duration{50 * ms, ms}, []time.Duration{256 * ms}, false},
		{"an error that takes time once", 16, []time.Duration{0}, []time.Duration{20 * ms}, true},
	} {
		t.Run(test.claim, func(t *testing.T) {
			problem := judge(test.times, inTurn(test.few), inTurn(test.many))
			if isLinear := problem == ""; isLinear != test.isLinear {
				t.Errorf("linear: %v %s", isLinear, problem)
			}
		})
	}
}

// inTurn returns a function that returns times one after the other, and then the last one.
func inTurn(times []time.Duration) func() time.Duration {
	next := 0
	return func() time.Duration {
		now := times[min(next, len(times)-1)]
		next++
		return now
	}
}

// TestWaitingTakesNoProcessorTime measures work and waiting: a test would otherwise depend on who else is there.
func TestWaitingTakesNoProcessorTime(t *testing.T) {
	waits := Of(t, func() { time.Sleep(300 * time.Millisecond) })
	if waits > 200*time.Millisecond {
		t.Errorf("waiting for 300 ms takes %s", waits)
	}
}
