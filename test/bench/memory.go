//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakBytes returns the peak memory of a process that has ended.
func peakBytes(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) //nolint:unconvert // another type on some systems
	}
	return int64(usage.Maxrss) << 10 //nolint:unconvert // another type on some systems
}
