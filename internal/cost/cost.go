// Package cost counts what pods ask of a cluster, as Kubernetes' scheduler counts it.
package cost

import (
	"math"
	"math/big"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/yaml/node"
)

// Amount is CPU in thousandths and memory in bytes. Floats hold such numbers exactly as far
// as any cluster goes, and a stranger's numbers cannot overflow them.
type Amount struct{ MilliCPU, Bytes float64 }

func (a Amount) plus(b Amount) Amount { return Amount{a.MilliCPU + b.MilliCPU, a.Bytes + b.Bytes} }

func (a Amount) minus(b Amount) Amount { return Amount{a.MilliCPU - b.MilliCPU, a.Bytes - b.Bytes} }

func (a Amount) times(n float64) Amount { return Amount{a.MilliCPU * n, a.Bytes * n} }

func (a Amount) most(b Amount) Amount {
	return Amount{max(a.MilliCPU, b.MilliCPU), max(a.Bytes, b.Bytes)}
}

// Pod is what a pod requests, and the limits that it has.
type Pod struct{ Requests, Limits Amount }

func (p Pod) minus(other Pod) Pod {
	return Pod{p.Requests.minus(other.Requests), p.Limits.minus(other.Limits)}
}

func (p Pod) plus(other Pod) Pod {
	return Pod{p.Requests.plus(other.Requests), p.Limits.plus(other.Limits)}
}

func (p Pod) times(n float64) Pod { return Pod{p.Requests.times(n), p.Limits.times(n)} }

func (p Pod) most(other Pod) Pod {
	return Pod{p.Requests.most(other.Requests), p.Limits.most(other.Limits)}
}

// Added is what one version of a pod spec asks for above another. Where no container that was
// touched says anything about resources, that is nothing, and nothing is read.
func Added(before, after *yaml.Node) Pod {
	if node.Get(before, "resources") == node.Get(after, "resources") &&
		!touches(node.List(before, "containers"), node.List(after, "containers")) &&
		!touches(node.List(before, "initContainers"), node.List(after, "initContainers")) {
		return Pod{}
	}
	return Of(after).minus(Of(before))
}

// touches tells whether a container that declares resources is in one list and not in the other.
func touches(before, after []*yaml.Node) bool {
	front, back := node.Shared(before, after)
	declares := func(c *yaml.Node) bool { return !node.IsNull(node.Get(c, "resources")) }
	return slices.ContainsFunc(before[front:len(before)-back], declares) || slices.ContainsFunc(after[front:len(after)-back], declares)
}

// Of is what a pod spec asks for. Its containers and native sidecars run together; before
// them, one by one, its init containers do, each beside the native sidecars that stand in
// front of it. The pod asks for the most that there is at any time. What is not a quantity
// counts as nothing.
func Of(spec *yaml.Node) Pod {
	var sidecars, peak, running Pod
	for _, c := range node.List(spec, "initContainers") {
		asks := asked(c)
		if node.Text(c, "restartPolicy") == "Always" {
			sidecars = sidecars.plus(asks)
			continue
		}
		peak = peak.most(sidecars.plus(asks))
	}
	for _, c := range node.List(spec, "containers") {
		running = running.plus(asked(c))
	}
	return overruled(spec, peak.most(running.plus(sidecars)))
}

// overruled is the sum of the containers, save where the pod's own resources say another.
func overruled(spec *yaml.Node, sum Pod) Pod {
	resources := node.Get(spec, "resources")
	if node.IsNull(resources) {
		return sum
	}
	whole := asked(spec)
	for _, field := range []struct{ own, sum *float64 }{
		{&whole.Requests.MilliCPU, &sum.Requests.MilliCPU},
		{&whole.Requests.Bytes, &sum.Requests.Bytes},
		{&whole.Limits.MilliCPU, &sum.Limits.MilliCPU},
		{&whole.Limits.Bytes, &sum.Limits.Bytes},
	} {
		if *field.own != 0 {
			*field.sum = *field.own
		}
	}
	return sum
}

// asked is what the resources of a container say. A limit is a request as well where there
// is none: Kubernetes fills it in.
func asked(container *yaml.Node) Pod {
	resources := node.Get(container, "resources")
	if node.IsNull(resources) {
		return Pod{}
	}
	var p Pod
	p.Limits = Amount{milli(resources, "limits"), bytes(resources, "limits")}
	p.Requests = p.Limits
	if node.Amount(resources, "requests", "cpu") != "" {
		p.Requests.MilliCPU = milli(resources, "requests")
	}
	if node.Amount(resources, "requests", "memory") != "" {
		p.Requests.Bytes = bytes(resources, "requests")
	}
	return p
}

func milli(resources *yaml.Node, list string) float64 {
	return amount(node.Amount(resources, list, "cpu"), 1000)
}

func bytes(resources *yaml.Node, list string) float64 {
	return amount(node.Amount(resources, list, "memory"), 1)
}

// amount is a quantity in parts of a unit, rounded up as Kubernetes does.
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
