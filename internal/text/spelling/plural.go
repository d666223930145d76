package spelling

import (
	"strconv"
	"strings"
)

// Plural returns a number with a noun: "1 workload", "2 workloads".
func Plural(n int, noun string) string { return strconv.Itoa(n) + " " + Noun(noun, n) }

// Noun returns a noun as it is for a number of things: "workload" for 1, "workloads" for 2.
func Noun(noun string, count int) string {
	switch {
	case count == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	default:
		return noun + "s"
	}
}
