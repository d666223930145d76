package main

import (
	"bytes"
	"os"
	"strconv"
)

// ownPeakBytes is the most memory that this process held at a time. On Linux a child's count begins there: it shares its
// parent's memory until exec, and exec keeps the high-water mark. So this process must stay small, and a contestant that
// is not above it may have taken less. Where there is no /proc the count begins at 0, as one would think.
func ownPeakBytes() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if rest, found := bytes.CutPrefix(line, []byte("VmHWM:")); found {
			kilobytes, err := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte(" kB"))), 10, 64)
			if err != nil {
				return 0
			}
			return kilobytes << 10
		}
	}
	return 0
}
