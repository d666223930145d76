// Package resources adds up the resources of pods, exactly and as the API server does.
package resources

import (
	"maps"
	"math/big"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/expression"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Amounts are quantities by the names of resources.
type Amounts map[string]*big.Rat

// Of returns the amount of a resource, which is 0 if there is none.
func (a Amounts) Of(name string) *big.Rat {
	if a[name] == nil {
		return new(big.Rat)
	}
	return a[name]
}

// Read returns the requests or limits of a container, or of a pod spec, without those that are not quantities.
func Read(of *node.Node, list string) Amounts {
	read := Amounts{}
	for name, value := range node.Fields(node.Get(of, "resources", list)) {
		if amount, ok := Amount(value); ok {
			read[name] = amount
		}
	}
	return read
}

// Amount returns a quantity. The API server rounds up to thousandths.
func Amount(value *node.Node) (amount *big.Rat, ok bool) {
	amount, err := expression.Quantity(node.Amount(value))
	if err != nil {
		return nil, false
	}
	const parts = 1000
	scaled := new(big.Rat).Mul(amount, big.NewRat(parts, 1))
	if amount.Sign() <= 0 || scaled.IsInt() {
		return amount, true
	}
	whole := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	return new(big.Rat).SetFrac(whole.Add(whole, big.NewInt(1)), big.NewInt(parts)), true
}

// Equal reports whether two values are equal quantities, such as 0.5 and 500m.
func Equal(a, b *node.Node) bool {
	one, isOne := Amount(a)
	two, isTwo := Amount(b)
	return isOne && isTwo && one.Cmp(two) == 0
}

// Requests returns what a container requests. Without a request, its limit is the request.
func Requests(container *node.Node) Amounts {
	all := Limits(container)
	maps.Copy(all, Read(container, "requests"))
	return all
}

// Limits returns the limits of a container.
func Limits(container *node.Node) Amounts { return Read(container, "limits") }

// Sum adds up resources of the containers of a pod spec. Native sidecars run beside all containers after them, and of
// the init containers that end only the largest amount counts.
func Sum(spec *node.Node, of func(container *node.Node) Amounts) Amounts {
	running, peak := sums(spec, of)
	running.raise(peak)
	return running
}

// sums returns what the containers that run together have, and the most that an init container that ends has of a
// resource, with the sidecars before it.
func sums(spec *node.Node, of func(container *node.Node) Amounts) (running, peak Amounts) {
	running, peak = Amounts{}, Amounts{}
	for _, list := range []string{pod.Init, pod.Main} {
		for _, c := range node.List(spec, list) {
			own := of(c)
			if pod.Runs(list, c) {
				running.add(own)
				continue
			}
			for name, amount := range own { // what only the sidecars have is in what runs
				own[name] = new(big.Rat).Add(running.Of(name), amount)
			}
			peak.raise(own)
		}
	}
	return running, peak
}

// Requested returns what a pod requests: what its own resources say, or the sum over its containers. If no container
// requests a resource, the pod's limit is the request.
func Requested(spec *node.Node) Amounts {
	all := Limits(spec)
	maps.Copy(all, Sum(spec, Requests))
	maps.Copy(all, Read(spec, "requests"))
	return all
}

// Limited returns the limits of a pod: its own, or the sum over its containers.
func Limited(spec *node.Node) Amounts {
	all := Sum(spec, Limits)
	maps.Copy(all, Limits(spec))
	return all
}

func (a Amounts) add(others Amounts) {
	for name, amount := range others {
		a[name] = new(big.Rat).Add(a.Of(name), amount)
	}
}

func (a Amounts) raise(to Amounts) {
	for name, amount := range to {
		if a[name] == nil || amount.Cmp(a[name]) > 0 {
			a[name] = amount
		}
	}
}

// IsHugePages reports whether a resource is huge pages of some size.
func IsHugePages(name string) bool { return strings.HasPrefix(name, "hugepages-") }

// Format writes an amount exactly, as people do.
func Format(name string, amount *big.Rat) string {
	write := expression.Memory
	if name == "cpu" || !amount.IsInt() {
		write = expression.CPU
	}
	if text, err := write(amount); err == nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(amount.FloatString(3), "0"), ".") //nolint:mnd // thousandths, see Amount
}
