package apirules

import (
	"fmt"
	"maps"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/resources"
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
	requests, limits := resources.Read(p.Spec(), "requests"), resources.Limits(p.Spec())
	requested := resources.Sum(p.Spec(), resources.Requests)
	for _, name := range slices.Sorted(maps.Keys(requested)) {
		bound, list := requests[name], "requests"
		if bound == nil {
			bound, list = limits[name], "limits" // the pod then requests what its containers do
		}
		if bound != nil && requested[name].Cmp(bound) > 0 {
			p.add(finding.InvalidResources, "pod "+list+" "+name, p.At("spec.resources."+list+"."+name), fmt.Sprintf(
				"the containers together request %s of %s, and the pod has %s of %s for them; "+
					"raise that, lower their requests, or set spec.podResources to Grow",
				resources.Format(name, requested[name]), name, list, node.Text(p.Spec(), "resources", list, name)))
		}
	}
	limited := resources.Sum(p.Spec(), resources.Limits)
	for _, name := range slices.Sorted(maps.Keys(limited)) {
		if bound := limits[name]; resources.IsHugePages(name) && bound != nil && limited[name].Cmp(bound) > 0 {
			p.add(finding.InvalidResources, "pod limits "+name, p.At("spec.resources.limits."+name),
				"the containers together have a higher limit of "+name+" than the pod; raise that, or lower those")
		}
	}
	p.containerLimits(limits)
}

// containerLimits reports containers with a higher limit than the pod.
func (p *checkedPod) containerLimits(limits resources.Amounts) {
	for _, c := range p.containers {
		if c.list != pod.Main {
			continue
		}
		own := resources.Limits(c.Node)
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if bound := limits[name]; bound != nil && own[name].Cmp(bound) > 0 {
				p.report(c, finding.InvalidResources, "pod "+name, "resources.limits."+name,
					"has a limit of %s of %s, and the pod has %s for all of them; lower one, or raise the other",
					node.Text(c.Node, "resources", "limits", name), name, node.Text(p.Spec(), "resources", "limits", name))
			}
		}
	}
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
