package command

import (
	"runtime/debug"
	"testing"
)

func TestLargeInputsAreCollectedMoreOftenUnlessTheUserDecides(t *testing.T) {
	const before = 123
	for _, test := range []struct {
		claim       string
		bytes       int
		name, value string
		want        int
	}{
		{"a small input changes nothing", largeInput - 1, "", "", before},
		{"a large input sets the percentage", largeInput, "", "", largeInputPercent},
		{"GOGC is left alone", largeInput, "GOGC", "off", before},
		{"GOMEMLIMIT is left alone", largeInput, "GOMEMLIMIT", "100MiB", before},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Setenv("GOGC", "")
			t.Setenv("GOMEMLIMIT", "")
			if test.name != "" {
				t.Setenv(test.name, test.value)
			}
			original := debug.SetGCPercent(before)
			collectFor(test.bytes)
			if got := debug.SetGCPercent(original); got != test.want {
				t.Errorf("the percentage is %d, want %d", got, test.want)
			}
		})
	}
}
