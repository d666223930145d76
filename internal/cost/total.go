package cost

import (
	"fmt"
	"math"
	"strconv"
)

// Total is what a run adds to all workloads.
type Total struct {
	sum      Pod
	replicas float64
	unknown  int
}

// Share is what one pod template of a workload got, and how many pods are made from it.
type Share struct {
	Pod
	Replicas int
	// Unknown says that nobody can tell the number from the manifest; it counts as 1.
	Unknown bool
}

// Add takes in one pod template. One that got nothing does not count.
func (t *Total) Add(a Share) {
	if a.Pod == (Pod{}) || a.Replicas == 0 {
		return
	}
	t.sum = t.sum.plus(a.times(float64(a.Replicas)))
	t.replicas += float64(a.Replicas)
	if a.Unknown {
		t.unknown++
	}
}

// String is the total for people: adds 2.4 CPU, 3.1 GiB requests over 27 replicas. It is
// empty where nothing was added or freed.
func (t Total) String() string {
	adds, frees := t.sum.most(Pod{}).phrase("adds "), t.sum.times(-1).most(Pod{}).phrase("frees ")
	switch {
	case adds+frees == "":
		return ""
	case adds != "" && frees != "":
		adds += ", "
	}
	return adds + frees + " " + t.Over()
}

// Over is how many pods the total is for: over 27 replicas.
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

// phrase is what a pod asks for behind a verb, or nothing.
func (p Pod) phrase(verb string) string {
	requests, limits := show(p.Requests, "requests"), show(p.Limits, "limits")
	switch {
	case requests+limits == "":
		return ""
	case requests != "" && limits != "":
		requests += " and "
	}
	return verb + requests + limits
}

func show(a Amount, what string) string {
	if text := a.String(); text != "" {
		return text + " " + what
	}
	return ""
}

// String is both amounts for people, 2.4 CPU, 3.1 GiB, without the one that is nothing.
func (a Amount) String() string {
	text := ""
	if a.MilliCPU != 0 {
		text = a.CPU() + " CPU"
	}
	if a.Bytes != 0 {
		if text != "" {
			text += ", "
		}
		text += a.Memory()
	}
	return text
}

// Size is the amount without its sign.
func (a Amount) Size() Amount { return Amount{math.Abs(a.MilliCPU), math.Abs(a.Bytes)} }

// CPU is the number of CPUs for people: 0.05.
func (a Amount) CPU() string { return number(a.MilliCPU / 1000) }

// Memory is the bytes for people: 64 MiB; nothing is 0.
func (a Amount) Memory() string {
	if a.Bytes == 0 {
		return "0"
	}
	return memory(a.Bytes)
}

// memory is bytes in the largest unit that they fill.
func memory(bytes float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	unit := 0
	for math.Abs(bytes) >= 1024 && unit < len(units)-1 {
		bytes /= 1024
		unit++
	}
	return number(bytes) + " " + units[unit]
}

// number has three digits and no more: 0.05, 2.4, 27, 1234.
func number(n float64) string {
	digits := 0
	for scale := math.Abs(n); scale < 100 && digits < 3; scale *= 10 {
		digits++
	}
	text := strconv.FormatFloat(n, 'f', min(digits, 3), 64)
	rounded, _ := strconv.ParseFloat(text, 64) // it was just written
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Sum is what all pods of a workload got together.
func Sum(shares []Share) Pod {
	var sum Pod
	for _, s := range shares {
		sum = sum.plus(s.times(float64(s.Replicas)))
	}
	return sum
}
