package check

import (
	"maps"
	"math/big"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/yaml/node"
)

// podResources checks the resources of the pod as a whole: its containers together request no
// more, and none of them has a higher limit.
func (p *pod) podResources() {
	whole := p.whole()
	if !set(p.Spec(), "resources") {
		return
	}
	p.resources(whole)
	if set(p.Spec(), "resources", "claims") {
		p.wrong(finding.InvalidResources, "pod claims", p.At("spec.resources.claims"),
			"the pod has claims in its resources, which only containers have; move them there")
	}
	requests, limits := amounts(whole, "requests"), amounts(whole, "limits")
	requested := p.together(func(c container) map[string]*big.Rat {
		own := amounts(c, "limits")
		maps.Copy(own, amounts(c, "requests")) // a limit is the request where there is none
		return own
	})
	limited := p.together(func(c container) map[string]*big.Rat { return amounts(c, "limits") })
	for _, name := range slices.Sorted(maps.Keys(requested)) {
		bound, word := requests[name], "requests"
		if bound == nil {
			bound, word = limits[name], "limits" // the pod then requests what its containers do
		}
		if bound != nil && requested[name].Cmp(bound) > 0 {
			p.wrong(finding.InvalidResources, "pod "+word+" "+name, p.At("spec.resources."+word+"."+name),
				"the containers together request %s of %s, and the pod has %s of %s for them; raise that, or lower their requests",
				shownAmount(name, requested[name]), name, word, node.Text(p.Spec(), "resources", word, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(limited)) {
		if bound := limits[name]; isHugePages(name) && bound != nil && limited[name].Cmp(bound) > 0 {
			p.wrong(finding.InvalidResources, "pod limits "+name, p.At("spec.resources.limits."+name),
				"the containers together have a higher limit of %s than the pod; raise that, or lower those", name)
		}
	}
	p.containerLimits(limits)
}

// containerLimits checks that no container has a higher limit than the pod.
func (p *pod) containerLimits(limits map[string]*big.Rat) {
	for _, c := range p.containers {
		if c.list != "containers" {
			continue
		}
		own := amounts(c, "limits")
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if bound := limits[name]; bound != nil && own[name].Cmp(bound) > 0 {
				p.wrong(finding.InvalidResources, c.name+" pod "+name, p.path(c, "resources.limits."+name),
					"container %q has a limit of %s of %s, and the pod has %s for all of them; lower one, or raise the other",
					c.name, node.Text(c.Node, "resources", "limits", name), name, node.Text(p.Spec(), "resources", "limits", name))
			}
		}
	}
}

// together adds up what the containers ask for, as the scheduler does: native sidecars run beside
// all that come after them, and of the other init containers the one that asks for most counts.
func (p *pod) together(of func(container) map[string]*big.Rat) map[string]*big.Rat {
	sum, sidecars, most := map[string]*big.Rat{}, map[string]*big.Rat{}, map[string]*big.Rat{}
	for _, c := range p.containers { // init containers stand behind the others, in their order
		own := of(c)
		switch {
		case c.list == "containers":
			add(sum, own)
			continue
		case c.runs: // and is in the sum, which is no less than what the sidecars so far ask for
			add(sum, own)
			add(sidecars, own)
			continue
		}
		for name, amount := range own {
			if beside := sidecars[name]; beside != nil {
				own[name] = new(big.Rat).Add(amount, beside)
			}
		}
		raise(most, own)
	}
	raise(sum, most)
	return sum
}

func add(to, amounts map[string]*big.Rat) {
	for name, amount := range amounts {
		if to[name] == nil {
			to[name] = new(big.Rat)
		}
		to[name] = new(big.Rat).Add(to[name], amount)
	}
}

func raise(to, amounts map[string]*big.Rat) {
	for name, amount := range amounts {
		if to[name] == nil || amount.Cmp(to[name]) > 0 {
			to[name] = amount
		}
	}
}

// shownAmount writes an amount as people do.
func shownAmount(name string, amount *big.Rat) string {
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

// amounts reads one of the two maps of resources; what is no quantity has been found already.
func amounts(c container, list string) map[string]*big.Rat {
	read := map[string]*big.Rat{}
	values := node.Get(c.Node, "resources", list)
	if values == nil || values.Kind != yaml.MappingNode {
		return read
	}
	value := node.Values(values)
	for _, name := range node.Keys(values) {
		if amount, err := expression.Quantity(node.Amount(value(name))); err == nil {
			read[name] = amount
		}
	}
	return read
}

// resourceClaims checks that the pod has the claims that its containers name, and that each names one once.
func (p *pod) resourceClaims() {
	var have names
	for i, claim := range node.List(p.Spec(), "resourceClaims") {
		if _, again := have.add(node.Text(claim, "name")); again {
			p.wrong(finding.InvalidPod, "claim "+node.Text(claim, "name"), p.At("spec.resourceClaims["+strconv.Itoa(i)+"].name"),
				"two resource claims are called %q; rename one of them", node.Text(claim, "name"))
		}
	}
	for _, c := range p.containers {
		var entries, whole, parts names
		for i, claim := range node.List(c.Node, "resources", "claims") {
			name, request := node.Text(claim, "name"), node.Text(claim, "request")
			at := p.path(c, "resources.claims["+strconv.Itoa(i)+"]")
			if !have.has(name) {
				p.wrong(finding.InvalidResources, c.name+" claim "+name, at,
					"container %q names the resource claim %q, which the pod does not have; add it to spec.podSpec.resourceClaims", c.name, name)
			}
			_, again := entries.add(name + "/" + request)
			if again || whole.has(name) || request == "" && parts.has(name) { // the whole claim has all of its requests
				p.wrong(finding.InvalidResources, c.name+" claim twice "+name, at,
					"container %q names the resource claim %q twice; remove one", c.name, name)
			}
			if request == "" {
				whole.add(name)
			} else {
				parts.add(name)
			}
		}
	}
}
