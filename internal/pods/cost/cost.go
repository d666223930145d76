// Package cost adds up what pods request, as the Kubernetes scheduler counts it.
package cost

import (
	"math"
	"math/big"
	"slices"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Amount is CPU in thousandths and memory in bytes. Floats are exact for the numbers of any real cluster, and do not
// overflow for others.
type Amount struct{ MilliCPU, Bytes float64 }

// Pod is what a pod requests, and its limits.
type Pod struct{ Requests, Limits Amount }

// combine applies a function to each number of two pods.
func (p Pod) combine(q Pod, f func(a, b float64) float64) Pod {
	return Pod{
		Requests: Amount{f(p.Requests.MilliCPU, q.Requests.MilliCPU), f(p.Requests.Bytes, q.Requests.Bytes)},
		Limits:   Amount{f(p.Limits.MilliCPU, q.Limits.MilliCPU), f(p.Limits.Bytes, q.Limits.Bytes)},
	}
}

func (p Pod) plus(q Pod) Pod { return p.combine(q, func(a, b float64) float64 { return a + b }) }

func (p Pod) minus(q Pod) Pod { return p.combine(q, func(a, b float64) float64 { return a - b }) }

func (p Pod) most(q Pod) Pod { return p.combine(q, func(a, b float64) float64 { return max(a, b) }) }

func (p Pod) times(n float64) Pod {
	return p.combine(Pod{}, func(a, _ float64) float64 { return a * n })
}

// Difference returns what one version of a pod spec requests more than another. It reads the numbers only if a
// container with resources was added, removed or changed.
func Difference(before, after *node.Node) Pod {
	if node.Get(before, "resources") == node.Get(after, "resources") &&
		!slices.ContainsFunc(pod.ContainerLists[:], func(list string) bool {
			return isTouched(node.List(before, list), node.List(after, list))
		}) {
		return Pod{}
	}
	return ReadPod(after).minus(ReadPod(before))
}

// isTouched reports whether a container with resources is in only one of two lists.
func isTouched(before, after []*node.Node) bool {
	front, back := node.Shared(before, after)
	declares := func(c *node.Node) bool { return !node.IsNull(node.Get(c, "resources")) }
	return slices.ContainsFunc(before[front:len(before)-back], declares) || slices.ContainsFunc(after[front:len(after)-back], declares)
}

// ReadPod returns the most that a pod spec requests at any time. What is not a quantity counts as nothing.
func ReadPod(spec *node.Node) Pod {
	return Pod{Requests: amountOf(resources.Requested(spec)), Limits: amountOf(resources.Limited(spec))}
}

// amountOf returns amounts of CPU and memory in parts of their units, rounded up as Kubernetes does.
func amountOf(all resources.Amounts) Amount {
	cpu, _ := new(big.Rat).Mul(all.Of("cpu"), big.NewRat(1000, 1)).Float64()
	memory, _ := all.Of("memory").Float64()
	return Amount{max(0, math.Ceil(cpu)), max(0, math.Ceil(memory))}
}
