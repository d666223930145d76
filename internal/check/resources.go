package check

import (
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/yaml/node"
)

// resources are quantities, none below zero, and no request is above its limit. What nodes do not
// share out beyond what they have, such as huge pages and devices, is requested and limited alike.
func (p *pod) resources(c container) {
	if node.IsNull(node.Get(c.Node, "resources")) {
		return
	}
	requests, limits := p.quantities(c, "requests"), p.quantities(c, "limits")
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		request := requests[name]
		limit, limited := limits[name]
		switch shared := isOvercommitted(name); {
		case !shared && (!limited || request.amount.Cmp(limit.amount) != 0):
			p.wrong(finding.InvalidResources, c.name+" "+name, p.path(c, "resources.requests."+name),
				"%s requests %s of %s, and the limit of such a resource must be the same; make them equal", c.shown(), request.text, name)
		case limited && request.amount.Cmp(limit.amount) > 0:
			p.wrong(finding.InvalidResources, c.name+" "+name, p.path(c, "resources.requests."+name),
				"%s requests %s of %s, and its limit is %s; lower the request or raise the limit", c.shown(), request.text, name, limit.text)
		}
	}
	p.hugePages(c, requests, limits)
	p.resourceNames(c, requests)
	p.resourceNames(c, limits)
}

// hugePages checks that huge pages come with CPU or memory.
func (p *pod) hugePages(c container, requests, limits map[string]quantity) {
	huge, computes := false, false
	for _, list := range []map[string]quantity{requests, limits} {
		for name := range list {
			huge = huge || isHugePages(name)
			computes = computes || name == "cpu" || name == "memory"
		}
	}
	if huge && !computes {
		p.wrong(finding.InvalidResources, c.name+" hugepages", p.path(c, "resources"),
			"%s asks for huge pages without cpu or memory; add one of them", c.shown())
	}
}

// resourceNames checks that names are known, and that what comes in pieces is whole.
func (p *pod) resourceNames(c container, list map[string]quantity) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		switch {
		case strings.Contains(name, "/"):
			if !isOvercommitted(name) && !list[name].amount.IsInt() {
				p.wrong(finding.InvalidResources, c.name+" whole "+name, p.path(c, "resources"),
					"%s has %s of %s, which comes in whole pieces; correct it", c.shown(), list[name].text, name)
			}
		case name == "cpu", name == "memory", name == "ephemeral-storage" && c.list != "", isHugePages(name):
		default:
			p.wrong(finding.InvalidResources, c.name+" name "+name, p.path(c, "resources"),
				"%s has the resource %q, which Kubernetes does not know here; correct the name, or remove it", c.shown(), name)
		}
	}
}

// isOvercommitted tells whether nodes promise more of a resource than they have.
func isOvercommitted(name string) bool {
	return !isHugePages(name) && (!strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/"))
}

func isHugePages(name string) bool { return strings.HasPrefix(name, "hugepages-") }

// shown is how messages call a container, or the pod itself.
func (c container) shown() string {
	if c.list == "" {
		return c.name
	}
	return "container " + strconv.Quote(c.name)
}

// quantity is an amount, and how it was written.
type quantity struct {
	amount *big.Rat
	text   string
}

// quantities reads one of the two maps of a container's resources.
func (p *pod) quantities(c container, list string) map[string]quantity {
	values := node.Get(c.Node, "resources", list)
	keys, valueOf := node.Keys(values), node.Values(values)
	read := make(map[string]quantity, len(keys))
	for _, key := range keys {
		value := valueOf(key)
		if node.IsNull(value) {
			continue
		}
		path := p.path(c, "resources."+list+"."+key)
		amount, err := expression.Quantity(node.Amount(value))
		switch {
		case err != nil:
			p.wrong(finding.InvalidResources, c.name+" "+list+" "+key, path,
				"%s has %s for %s in its %s, which is not a quantity; write one, such as 100m or 64Mi", c.shown(), node.Describe(value), key, list)
			continue
		case amount.Sign() < 0:
			p.wrong(finding.InvalidResources, c.name+" "+list+" "+key, path,
				"%s has %s for %s in its %s, which is below zero; raise it", c.shown(), value.Value, key, list)
			continue
		}
		read[key] = quantity{amount, value.Value}
	}
	return read
}
