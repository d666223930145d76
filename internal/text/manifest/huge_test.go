package manifest

import (
	"math"
	"strings"
	"testing"
)

// The memory is never written to, so the machine does not need it.
func TestTextsThatPositionsCannotReachAreRefused(t *testing.T) {
	if _, err := Read(make([]byte, math.MaxInt32+1)); err == nil || !strings.Contains(err.Error(), "at most 2147483647 are read") {
		t.Errorf("the error is %v", err)
	}
}
