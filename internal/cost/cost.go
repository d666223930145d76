// Package cost adds up what pods request, as the Kubernetes scheduler counts it.
package cost

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Amount is CPU in thousandths and memory in bytes. Floats are exact for the numbers of any real cluster, and do not overflow for
// others.
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

// Difference returns what one version of a pod spec requests more than another. It reads the numbers only if a container with
// resources was added, removed or changed.
func Difference(before, after *yaml.Node) Pod {
	if node.Get(before, "resources") == node.Get(after, "resources") &&
		!slices.ContainsFunc(pod.ContainerLists[:], func(list string) bool {
			return isTouched(node.List(before, list), node.List(after, list))
		}) {
		return Pod{}
	}
	return ReadPod(after).minus(ReadPod(before))
}

// isTouched reports whether a container with resources is in only one of two lists.
func isTouched(before, after []*yaml.Node) bool {
	front, back := node.Shared(before, after)
	declares := func(c *yaml.Node) bool { return !node.IsNull(node.Get(c, "resources")) }
	return slices.ContainsFunc(before[front:len(before)-back], declares) || slices.ContainsFunc(after[front:len(after)-back], declares)
}

// ReadPod returns the most that a pod spec requests at any time. Its containers and native sidecars run together; its other init
// containers run before, one by one, each together with the native sidecars in front of it. What is not a quantity counts
// as nothing. The resources of the pod itself take precedence over the sum.
func ReadPod(spec *yaml.Node) Pod {
	var sidecars, peak, running Pod
	for _, c := range node.List(spec, pod.Init) {
		own := readResources(c)
		if pod.IsNative(pod.Init, c) {
			sidecars = sidecars.plus(own)
			continue
		}
		peak = peak.most(sidecars.plus(own))
	}
	for _, c := range node.List(spec, pod.Main) {
		running = running.plus(readResources(c))
	}
	return readResources(spec).combine(peak.most(running.plus(sidecars)), func(own, sum float64) float64 {
		if own != 0 {
			return own
		}
		return sum
	})
}

// readResources returns the resources of a container, or of a pod. A limit is also the request if there is none, because
// Kubernetes sets it.
func readResources(of *yaml.Node) Pod {
	resources := node.Get(of, "resources")
	if node.IsNull(resources) {
		return Pod{}
	}
	const milli = 1000
	requests, limits := node.Get(resources, "requests"), node.Get(resources, "limits")
	maxCPU, maxMemory := node.Amount(limits, "cpu"), node.Amount(limits, "memory")
	cpu, memory := cmp.Or(node.Amount(requests, "cpu"), maxCPU), cmp.Or(node.Amount(requests, "memory"), maxMemory)
	return Pod{
		Requests: Amount{amount(cpu, milli), amount(memory, 1)},
		Limits:   Amount{amount(maxCPU, milli), amount(maxMemory, 1)},
	}
}

// amount returns a quantity in parts of a unit, rounded up as Kubernetes does.
func amount(text string, parts int64) float64 {
	if text == "" {
		return 0
	}
	quantity, err := expression.Quantity(text)
	if err != nil || quantity.Sign() < 0 {
		return 0
	}
	value, _ := quantity.Mul(quantity, new(big.Rat).SetInt64(parts)).Float64()
	return math.Ceil(value)
}
