package report

import (
	"fmt"
	"strings"
)

// Counts is what happened to the workloads of a run.
type Counts struct {
	Workloads int
	Injected  int
	Updated   int
	Removed   int
	HeldBack  int // would have been changed, had there been no error elsewhere
	OutOfDate int // not as an injection would make them, where that is all that was asked
	Unchanged int
	Skipped   int
	Refused   int
}

// String is the one line that a run ends with: 12 workloads: 9 injected, 2 skipped, 1 refused.
func (c Counts) String() string {
	var parts []string
	for _, part := range []struct {
		count int
		word  string
	}{{c.Injected, "injected"}, {c.Updated, "updated"}, {c.Removed, "removed"}, {c.HeldBack, "held back"}, {c.OutOfDate, "out of date"}, {c.Unchanged, "unchanged"}, {c.Skipped, "skipped"}, {c.Refused, "refused"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.word))
		}
	}
	line := Workloads(c.Workloads)
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	return line
}

// Warnings is a number of warnings in words.
func Warnings(n int) string {
	if n == 1 {
		return "1 warning"
	}
	return fmt.Sprintf("%d warnings", n)
}

// Workloads is a number of workloads in words.
func Workloads(n int) string {
	if n == 1 {
		return "1 workload"
	}
	return fmt.Sprintf("%d workloads", n)
}
