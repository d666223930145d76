package check

import (
	"maps"
	"math/big"
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
)

// resources are quantities, none below zero, and no request is above its limit.
func (p *pod) resources(c container) {
	resources := node.Get(c.Node, "resources")
	if node.IsNull(resources) {
		return
	}
	requests, limits := p.quantities(c, "requests"), p.quantities(c, "limits")
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		request := requests[name]
		if limit, ok := limits[name]; ok && request.amount.Cmp(limit.amount) > 0 {
			p.wrong(finding.InvalidResources, c.name+" "+name, p.path(c, "resources.requests."+name),
				"%s requests %s of %s, and its limit is %s; lower the request or raise the limit", c.shown(), request.text, name, limit.text)
		}
	}
}

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
	keys := node.Keys(values)
	read := make(map[string]quantity, len(keys))
	for _, key := range keys {
		value := node.Get(values, key)
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
