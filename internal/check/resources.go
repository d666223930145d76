package check

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

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
		if limit, ok := limits[name]; ok && request.Cmp(limit) > 0 {
			p.wrong(finding.InvalidResources, c.name+" "+name, p.path(c, "resources.requests."+name),
				"container %q requests %s of %s, and its limit is %s; lower the request or raise the limit", c.name, request.String(), name, limit.String())
		}
	}
}

// quantities reads one of the two maps of a container's resources.
func (p *pod) quantities(c container, list string) map[string]resource.Quantity {
	values := node.Get(c.Node, "resources", list)
	keys := node.Keys(values)
	read := make(map[string]resource.Quantity, len(keys))
	for _, key := range keys {
		value := node.Get(values, key)
		if node.IsNull(value) {
			continue
		}
		path := p.path(c, "resources."+list+"."+key)
		quantity, err := resource.ParseQuantity(value.Value)
		switch {
		case err != nil:
			p.wrong(finding.InvalidResources, c.name+" "+list+" "+key, path,
				"container %q has %s for %s in its %s, which is not a quantity; write one, such as 100m or 64Mi", c.name, node.Describe(value), key, list)
			continue
		case quantity.Sign() < 0:
			p.wrong(finding.InvalidResources, c.name+" "+list+" "+key, path,
				"container %q has %s for %s in its %s, which is below zero; raise it", c.name, value.Value, key, list)
			continue
		}
		read[key] = quantity
	}
	return read
}
