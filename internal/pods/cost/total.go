package cost

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Addition is what one pod template of a workload got, and how many pods are created from it.
type Addition struct {
	Pod
	Replicas int
	// Unknown is whether the manifest does not tell the number, which counts as 1.
	Unknown bool
}

// Sum returns what all pods of a workload got together.
func Sum(additions []Addition) Pod {
	var sum Pod
	for _, a := range additions {
		sum = sum.plus(a.times(float64(a.Replicas)))
	}
	return sum
}

// Total is what a run adds to all workloads.
type Total struct {
	Pod
	replicas float64
	unknown  int
}

// Add adds one pod template. One that got nothing does not count.
func (t *Total) Add(a Addition) {
	if a.Pod == (Pod{}) || a.Replicas == 0 {
		return
	}
	t.Pod = t.plus(a.times(float64(a.Replicas)))
	t.replicas += float64(a.Replicas)
	if a.Unknown {
		t.unknown++
	}
}

// String returns the total for people: adds 2.4 CPU, 3.1 GiB requests over 27 replicas. It is empty if nothing was
// added or freed.
func (t Total) String() string {
	adds, frees := t.most(Pod{}).phrase("adds "), t.times(-1).most(Pod{}).phrase("frees ")
	if adds+frees == "" {
		return ""
	}
	return joined(adds, ", ", frees) + " " + t.Over()
}

// Over returns how many pods the total is for: over 27 replicas.
func (t Total) Over() string {
	line := "over " + number(t.replicas) + " replica"
	if t.replicas != 1 {
		line += "s"
	}
	switch {
	case t.unknown == 1:
		line += " (1 workload does not say how many, and counts as 1)"
	case t.unknown > 1:
		line += fmt.Sprintf(" (%d workloads do not say how many, and count as 1 each)", t.unknown)
	}
	return line
}

// phrase returns requests and limits behind a verb, or nothing if there are none.
func (p Pod) phrase(verb string) string {
	requests, limits := p.Requests.String(), p.Limits.String()
	if requests != "" {
		requests += " requests"
	}
	if limits != "" {
		limits += " limits"
	}
	if requests+limits == "" {
		return ""
	}
	return verb + joined(requests, " and ", limits)
}

// joined puts a separator between two texts unless one of them is empty.
func joined(a, separator, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + separator + b
}

// String returns both amounts for people, 2.4 CPU, 3.1 GiB, without one that is 0.
func (a Amount) String() string {
	cpu, memory := "", ""
	if a.MilliCPU != 0 {
		cpu = a.CPU() + " CPU"
	}
	if a.Bytes != 0 {
		memory = a.Memory()
	}
	return joined(cpu, ", ", memory)
}

// Size returns the amount without its sign.
func (a Amount) Size() Amount { return Amount{math.Abs(a.MilliCPU), math.Abs(a.Bytes)} }

// CPU returns the number of CPUs for people: 0.05.
func (a Amount) CPU() string { return number(a.MilliCPU / 1000) }

// Memory returns the bytes for people, in the largest unit that they fill: 64 MiB.
func (a Amount) Memory() string {
	if a.Bytes == 0 {
		return "0"
	}
	bytes, units := a.Bytes, strings.Fields("B KiB MiB GiB TiB PiB")
	for math.Abs(bytes) >= 1024 && len(units) > 1 {
		bytes, units = bytes/1024, units[1:]
	}
	return number(bytes) + " " + units[0]
}

// number returns a number with at most three digits behind the point, and fewer for large ones: 0.05, 2.4, 27, 1234.
func number(n float64) string {
	digits := 0
	for scale := math.Abs(n); scale < 100 && digits < 3; scale *= 10 {
		digits++
	}
	text := strconv.FormatFloat(n, 'f', digits, 64)
	rounded, _ := strconv.ParseFloat(text, 64) // it was just formatted
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
