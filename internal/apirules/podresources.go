package apirules

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// podResources reports the resources of the pod where its containers together request more, or one has a higher limit.
func (p *checkedPod) podResources() {
	if !isSet(p.Spec(), "resources") {
		return
	}
	whole := p.whole()
	p.resources(whole)
	if isSet(p.Spec(), "resources", "claims") {
		p.report(whole, finding.InvalidResources, "claims", "resources.claims",
			"has claims in its resources, which only containers have; move them there")
	}
	requests, limits := amounts(whole, "requests"), amounts(whole, "limits")
	requested := p.sum(func(c container) map[string]*big.Rat {
		own := amounts(c, "limits")
		maps.Copy(own, amounts(c, "requests")) // without a request, the limit is the request
		return own
	})
	for _, name := range slices.Sorted(maps.Keys(requested)) {
		bound, list := requests[name], "requests"
		if bound == nil {
			bound, list = limits[name], "limits" // the pod then requests what its containers do
		}
		if bound != nil && requested[name].Cmp(bound) > 0 {
			p.add(finding.InvalidResources, "pod "+list+" "+name, p.At("spec.resources."+list+"."+name), fmt.Sprintf(
				"the containers together request %s of %s, and the pod has %s of %s for them; raise that, or lower their requests",
				format(name, requested[name]), name, list, node.Text(p.Spec(), "resources", list, name)))
		}
	}
	limited := p.sum(func(c container) map[string]*big.Rat { return amounts(c, "limits") })
	for _, name := range slices.Sorted(maps.Keys(limited)) {
		if bound := limits[name]; isHugePages(name) && bound != nil && limited[name].Cmp(bound) > 0 {
			p.add(finding.InvalidResources, "pod limits "+name, p.At("spec.resources.limits."+name),
				"the containers together have a higher limit of "+name+" than the pod; raise that, or lower those")
		}
	}
	p.containerLimits(limits)
}

// containerLimits reports containers with a higher limit than the pod.
func (p *checkedPod) containerLimits(limits map[string]*big.Rat) {
	for _, c := range p.containers {
		if c.list != "containers" {
			continue
		}
		own := amounts(c, "limits")
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if bound := limits[name]; bound != nil && own[name].Cmp(bound) > 0 {
				p.report(c, finding.InvalidResources, "pod "+name, "resources.limits."+name,
					"has a limit of %s of %s, and the pod has %s for all of them; lower one, or raise the other",
					node.Text(c.Node, "resources", "limits", name), name, node.Text(p.Spec(), "resources", "limits", name))
			}
		}
	}
}

// sum adds up resources of the containers as the scheduler does: native sidecars run beside all containers
// after them, and of the other init containers only the largest amount counts.
func (p *checkedPod) sum(of func(container) map[string]*big.Rat) map[string]*big.Rat {
	sum, sidecars, peak := map[string]*big.Rat{}, map[string]*big.Rat{}, map[string]*big.Rat{}
	for _, c := range p.containers { // init containers come after the others, in their order
		own := of(c)
		switch {
		case !c.runs:
			add(own, sidecars)
			raise(peak, own)
		case c.list == pod.Init:
			add(sidecars, own)
			fallthrough
		default:
			add(sum, own)
		}
	}
	raise(sum, peak)
	return sum
}

func add(to, amounts map[string]*big.Rat) {
	for name, amount := range amounts {
		sum := new(big.Rat).Set(amount)
		if to[name] != nil {
			sum.Add(sum, to[name])
		}
		to[name] = sum
	}
}

func raise(to, amounts map[string]*big.Rat) {
	for name, amount := range amounts {
		if to[name] == nil || amount.Cmp(to[name]) > 0 {
			to[name] = amount
		}
	}
}

// format writes an amount as people do.
func format(name string, amount *big.Rat) string {
	write := expression.Memory
	if name == "cpu" {
		write = expression.CPU
	}
	text, err := write(amount)
	if err != nil {
		return amount.RatString()
	}
	return text
}

// resourceClaims reports claims of one name, and claims that a container names twice or that the pod does not have.
func (p *checkedPod) resourceClaims() {
	claims := node.List(p.Spec(), "resourceClaims")
	for i, name := range repeats(claims, "name") {
		p.add(finding.InvalidPod, "claim "+name, p.At("spec."+entry("resourceClaims", i)+".name"),
			fmt.Sprintf("two resource claims are called %q; rename one of them", name))
	}
	var known nameSet
	known.addNames(claims)
	for _, c := range p.containers {
		if !isSet(c.Node, "resources", "claims") {
			continue
		}
		var entries, whole, parts nameSet
		for i, claim := range node.List(c.Node, "resources", "claims") {
			name, request := node.Text(claim, "name"), node.Text(claim, "request")
			field := "resources." + entry("claims", i)
			if !known.has(name) {
				p.report(c, finding.InvalidResources, "claim "+name, field,
					"names the resource claim %q, which the pod does not have; add it to spec.podSpec.resourceClaims", name)
			}
			if entries.add(name+"/"+request) || whole.has(name) || request == "" && parts.has(name) { // the whole claim has all of its requests
				p.report(c, finding.InvalidResources, "claim twice "+name, field, "names the resource claim %q twice; remove one", name)
			}
			if request == "" {
				whole.add(name)
			} else {
				parts.add(name)
			}
		}
	}
}
