package command

import (
	"os"
	"runtime/debug"
)

// The garbage collector's settings for large inputs.
const (
	// largeInput is the size from which an input takes most of the memory of the process.
	largeInput = 1 << 20
	// largeInputPercent is how much garbage there may be, in percent of what is in use. Go's default is 100: half of the memory
	// would be garbage. The input itself has no pointers, so that a collection takes little time compared with its size; see
	// docs/explanation/performance.md for what it costs.
	largeInputPercent = 60
)

// collectFor sets how often garbage is collected, given the size of the input. The heap may still grow with what is in use, so
// collecting never takes more than a fixed share of the time, however large the input is. A small input stays below the size from
// which Go collects at all. If the user has set GOGC or GOMEMLIMIT, they decide.
func collectFor(inputBytes int) {
	if inputBytes >= largeInput && os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(largeInputPercent)
	}
}
