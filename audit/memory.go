package main

import (
	"log/slog"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory lets the garbage collector run more often than usual, because most memory is in use all the time, and
// work harder before the container's memory runs out. GOGC and GOMEMLIMIT take precedence.
func limitMemory(log *slog.Logger) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return // no container, or an old kernel
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return // it is "max"
	}
	debug.SetMemoryLimit(limit / 10 * 9)
	log.Info("limit memory", "container", limit)
}
