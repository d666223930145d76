//go:build !unix

package growth

import (
	"testing"
	"time"
)

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	t.Skip("needs the processor time of this process, which is measured on Unix only")
	return 0
}
