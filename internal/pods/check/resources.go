package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// resources reports amounts that are not quantities or below zero, and requests above their limits. Of resources that
// nodes do not overcommit, such as huge pages and devices, request and limit must be equal.
func (p *checkedPod) resources(c container) {
	if !isSet(c.Node, "resources") {
		return
	}
	requests, limits := p.validAmounts(c, "requests"), p.validAmounts(c, "limits")
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		request, limit := requests[name], limits[name]
		text := node.Text(c.Node, "resources", "requests", name)
		switch {
		case !isOvercommitted(name) && (limit == nil || request.Cmp(limit) != 0):
			p.report(c, finding.InvalidResources, name, "resources.requests."+name,
				"requests %s of %s, and the limit of such a resource must be the same; make them equal", text, name)
		case limit != nil && request.Cmp(limit) > 0:
			p.report(c, finding.InvalidResources, name, "resources.requests."+name,
				"requests %s of %s, and its limit is %s; lower the request or raise the limit",
				text, name, node.Text(c.Node, "resources", "limits", name))
		}
	}
	p.hugePages(c, requests, limits)
	p.resourceNames(c, "requests", requests)
	p.resourceNames(c, "limits", limits)
}

// hugePages reports huge pages without CPU or memory.
func (p *checkedPod) hugePages(c container, requests, limits resources.Amounts) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(requests)), maps.Keys(limits))
	if slices.ContainsFunc(names, resources.IsHugePages) && !slices.Contains(names, "cpu") && !slices.Contains(names, "memory") {
		p.report(c, finding.InvalidResources, "hugepages", "resources", "requests huge pages without cpu or memory; add one of them")
	}
}

// resourceNames reports unknown resources, and fractions of resources that come in whole pieces.
func (p *checkedPod) resourceNames(c container, list string, amounts resources.Amounts) {
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		switch {
		case strings.Contains(name, "/"):
			if !isOvercommitted(name) && !amounts[name].IsInt() {
				p.report(c, finding.InvalidResources, "whole "+name, "resources",
					"has %s of %s, which comes in whole pieces; correct it", node.Text(c.Node, "resources", list, name), name)
			}
		case name == "cpu", name == "memory", name == "ephemeral-storage" && c.list != "", resources.IsHugePages(name):
		default:
			p.report(c, finding.InvalidResources, "name "+name, "resources",
				"has the resource %q, which Kubernetes does not have here; correct the name, or remove it", name)
		}
	}
}

// isOvercommitted reports whether nodes promise more of a resource than they have.
func isOvercommitted(name string) bool {
	return !resources.IsHugePages(name) && (!strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/"))
}

// validAmounts reads the requests or limits of a container, and reports those that are not quantities or below zero.
func (p *checkedPod) validAmounts(c container, list string) resources.Amounts {
	values := node.Get(c.Node, "resources", list)
	valid := resources.Read(c.Node, list)
	for name, value := range node.Fields(values) {
		key, field := list+" "+name, "resources."+list+"."+name
		switch amount := valid[name]; {
		case node.IsNull(value):
		case amount == nil:
			p.report(c, finding.InvalidResources, key, field,
				"has %s for %s in its %s, which is not a quantity; write one, such as 100m or 64Mi", node.Describe(value), name, list)
		case amount.Sign() < 0:
			delete(valid, name)
			p.report(c, finding.InvalidResources, key, field, "has %s for %s in its %s, which is below zero; raise it", value.Value, name, list)
		}
	}
	return valid
}

// podResources reports the resources of the pod where its containers together request more, or one has a higher limit.
func (p *checkedPod) podResources() {
	if !isSet(p.spec, "resources") {
		return
	}
	whole := p.whole()
	p.resources(whole)
	if isSet(p.spec, "resources", "claims") {
		p.report(whole, finding.InvalidResources, "claims", "resources.claims",
			"has claims in its resources, which only containers have; move them there")
	}
	requests, limits := resources.Read(p.spec, "requests"), resources.Limits(p.spec)
	requested := resources.Sum(p.spec, resources.Requests)
	for _, name := range slices.Sorted(maps.Keys(requested)) {
		bound, list := requests[name], "requests"
		if bound == nil {
			bound, list = limits[name], "limits" // the pod then requests what its containers do
		}
		if bound != nil && requested[name].Cmp(bound) > 0 {
			field := p.At("spec.resources." + list + "." + name)
			p.add(finding.InvalidResources, "pod "+list+" "+name, field, fmt.Sprintf(
				"the containers together request %s of %s, and %s is %s; raise it, or lower their requests",
				resources.Format(name, requested[name]), name, field, node.Text(p.spec, "resources", list, name)))
		}
	}
	limited := resources.Sum(p.spec, resources.Limits)
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
					"has a limit of %s of %s, and %s is %s; raise that, or lower the limit of the container",
					node.Text(c.Node, "resources", "limits", name), name, p.At("spec.resources.limits."+name),
					node.Text(p.spec, "resources", "limits", name))
			}
		}
	}
}

// resourceClaims reports claims of one name, and claims that a container names twice or that the pod does not have.
func (p *checkedPod) resourceClaims() {
	claims := node.List(p.spec, "resourceClaims")
	for i, name := range repeats(claims, "name") {
		p.add(finding.InvalidPod, "claim "+name, p.At("spec."+entry("resourceClaims", i)+".name"),
			fmt.Sprintf("two resource claims are called %q; rename one of them", name))
	}
	known := names{}
	known.addNames(claims)
	for _, c := range p.containers {
		if !isSet(c.Node, "resources", "claims") {
			continue
		}
		entries, whole, parts := names{}, names{}, names{}
		for i, claim := range node.List(c.Node, "resources", "claims") {
			name, request := node.Text(claim, "name"), node.Text(claim, "request")
			field := "resources." + entry("claims", i)
			if !known[name] {
				p.report(c, finding.InvalidResources, "claim "+name, field,
					"names the resource claim %q, which the pod does not have; add it to spec.podSpec.resourceClaims", name)
			}
			if entries.add(name+"/"+request) || whole[name] || request == "" && parts[name] { // the whole claim has all of its requests
				p.report(c, finding.InvalidResources, "claim twice "+name, field, "names the resource claim %q twice; remove one", name)
			}
			whole[name], parts[name] = whole[name] || request == "", parts[name] || request != ""
		}
	}
}
