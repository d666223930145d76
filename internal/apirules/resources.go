package apirules

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/yaml/node"
)

// resources reports amounts that are not quantities or below zero, and requests above their limits. Of resources that nodes
// do not overcommit, such as huge pages and devices, request and limit must be equal.
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
