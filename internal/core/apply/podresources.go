package apply

import (
	"maps"
	"math/big"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// podResource is a resource in the requests or limits of the pod itself.
type podResource struct{ list, name string }

var resourceLists = []string{"requests", "limits"}

// podResources returns the resources of the pod itself, as they are written.
func podResources(spec *node.Node) (all []podResource) {
	for _, list := range resourceLists {
		for name := range node.Fields(node.Get(spec, "resources", list)) {
			all = append(all, podResource{list, name})
		}
	}
	return all
}

// sums are what the containers of a pod have together: their requests, and the bounds of those that run beside the app.
type sums struct{ requests, bounds resources.Amounts }

func sumsOf(spec *node.Node) sums {
	return sums{resources.Sum(spec, resources.Requests), resources.Running(spec, resources.Bounds)}
}

// appSpec returns the pod spec as the app has it.
func (p *Pod) appSpec() *node.Node { return p.AppView.At("", "spec") }

// appSets reports whether the app sets a field of the pod spec.
func (p *Pod) appSets(field string) bool {
	return !node.IsNull(node.Get(p.Spec(), field)) && !node.IsNull(node.Get(p.appSpec(), field))
}

// withoutPodResources returns the body of a container that shares the resources that the pod has for all of its
// containers without them.
func withoutPodResources(pod *Pod, op injector.Operation, body *node.Node) *node.Node {
	if !op.SharesResources || !pod.appSets("resources") || node.IsNull(node.Get(body, "resources")) {
		return body
	}
	body = node.Fresh(body)
	own := node.Get(body, "resources")
	for _, r := range podResources(pod.appSpec()) {
		for _, list := range resourceLists {
			if amounts := node.Get(own, list); amounts != nil {
				node.Delete(amounts, r.name)
				if len(amounts.Content) == 0 {
					node.Delete(own, list)
				}
			}
		}
	}
	if len(own.Content) == 0 {
		node.Delete(body, "resources")
	}
	return body
}

// growPodResources adds what the payload requests to the resources that the app's pod has for all of its containers: as
// much as if there were no other injector, or more if that is not enough for all of them.
func (p *Pod) growPodResources(op injector.Operation) {
	if !p.appSets(op.Key) {
		return
	}
	spec := p.appSpec()
	g := growing{
		Pod:       p,
		app:       sumsOf(spec),
		alone:     sumsOf(p.Spec()),
		owns:      resources.Requests(spec),
		requests:  resources.Read(spec, "requests"),
		limits:    resources.Limits(spec),
		requested: resources.Requested(spec),
		seen:      node.Get(p.seenRoot(), "spec"),
	}
	g.present = resources.Requests(g.seen)
	g.now = resources.Sum(p.specAround(), resources.Requests)
	for _, r := range podResources(spec) {
		g.checkQuantity(r, node.Get(spec, "resources", r.list, r.name))
	}
	for _, name := range slices.Sorted(maps.Keys(g.owns)) {
		g.growResource(name)
	}
}

// growing is what the resources of a pod depend on that grow.
type growing struct {
	*Pod
	app, alone sums              // of the app's containers, and with those of the payload
	now        resources.Amounts // the requests of all containers, with those of other injectors
	owns       resources.Amounts // what the app's pod requests for all of its containers, or has as limits instead
	requests   resources.Amounts // the same, as it is written
	limits     resources.Amounts
	requested  resources.Amounts // what counts as requested by the app's pod
	seen       *node.Node        // the pod spec with what other injectors have put in
	present    resources.Amounts // what it requests
}

// checkQuantity reports a resource that would have to grow and is no quantity.
func (g growing) checkQuantity(r podResource, value *node.Node) {
	_, isQuantity := resources.Amount(value)
	if isQuantity || g.alone.bounds.Of(r.name).Cmp(g.app.bounds.Of(r.name)) <= 0 {
		return
	}
	g.report(finding.Error, finding.InvalidResources, g.At("spec.resources"),
		"the %s of %s in the resources of the pod are no quantity, so they cannot grow by what the sidecar needs; "+
			"write a quantity such as 500m or 1Gi, or set spec.podResources to Share", r.list, r.name)
}

// growResource adds to the request and the limit of a resource.
func (g growing) growResource(name string) {
	own := g.owns[name]
	byRequest := most(new(big.Rat), minus(g.alone.requests.Of(name), g.app.requests.Of(name)))
	if own.Cmp(g.app.requests.Of(name)) >= 0 { // otherwise the API server refuses the app's own pod
		byRequest = most(byRequest, minus(g.now.Of(name), g.present.Of(name)))
	}
	byLimit := most(byRequest, minus(g.alone.bounds.Of(name), g.app.bounds.Of(name)))
	limit := g.limits[name]
	request := g.requests[name]
	isImplied := g.isImplied(name, byLimit)
	if isImplied || limit != nil && request != nil && limit.Cmp(request) == 0 {
		byRequest = byLimit
	}
	if limit != nil && byLimit.Sign() > 0 {
		g.grow(podResource{"limits", name}, limit, byLimit)
	}
	if isImplied || request != nil && byRequest.Sign() > 0 {
		g.grow(podResource{"requests", name}, own, byRequest)
	}
}

// isImplied reports whether the app's pod has no request for a resource, and one that equals its limit counts, which
// must stay so: a pod without a request has the sum of its containers', or its limit if they have none.
func (g growing) isImplied(name string, byLimit *big.Rat) bool {
	limit := g.limits[name]
	hasRequest := node.Get(g.appSpec(), "resources", "requests", name) != nil
	if limit == nil || hasRequest || resources.IsHugePages(name) || g.requested[name].Cmp(limit) != 0 {
		return false
	}
	isFirst := g.app.requests[name] == nil && g.alone.requests[name] != nil
	isOthers := node.Get(g.seen, "resources", "requests", name) != nil &&
		!g.Owners.IsGrown(stamp.PodResource("requests", name))
	return (byLimit.Sign() > 0 || isFirst) && !isOthers
}

// specAround returns the containers of the pod with those that other injectors have put in, as a pod spec.
func (p *Pod) specAround() *node.Node {
	spec := node.Mapping()
	for _, list := range []string{containers, initContainers} {
		node.Set(spec, list, node.Sequence(p.seenContainers(list)...))
	}
	return spec
}

// grow adds an amount to a resource of the pod, or to what counts if the pod does not have it.
func (p *Pod) grow(r podResource, otherwise, amount *big.Rat) {
	if !isWrittenHere(p.appSpec(), "resources", r.list, r.name) {
		p.report(finding.Error, finding.InvalidResources, p.At("spec.resources"),
			"the %s of the pod are written elsewhere, and used here by a YAML alias or merge key, "+
				"so they cannot grow; write out the resources of the pod in the manifest, "+
				"or set spec.podResources to Share", r.list)
		return
	}
	growIn(p.Spec(), r, otherwise, amount)
	p.grown = append(p.grown, growth{r, otherwise, amount})
	if p.Grown == nil {
		p.Grown = map[stamp.Address]string{}
	}
	p.Grown[stamp.PodResource(r.list, r.name)] = resources.Format(r.name, amount)
}

// growth is what is added to a resource of the pod, or to what counts if the pod does not have it.
type growth struct {
	podResource
	otherwise, amount *big.Rat
}

// growIn adds an amount to a resource of a pod spec.
func growIn(spec *node.Node, r podResource, otherwise, amount *big.Rat) {
	list := node.OwnMapping(node.OwnMapping(spec, "resources"), r.list)
	present := node.Get(list, r.name)
	if there, ok := resources.Amount(present); ok {
		otherwise = there
	}
	node.Set(list, r.name, node.StringLike(present, resources.Format(r.name, new(big.Rat).Add(otherwise, amount))))
}

// isWrittenHere reports whether no alias or merge key is on the way to a value, which may be missing.
func isWrittenHere(in *node.Node, path ...string) bool {
	for _, key := range path {
		i := node.Index(in, key)
		if i < 0 {
			return node.Get(in, key) == nil
		}
		if in = in.Content[i+1]; in.Kind == node.AliasNode {
			return false
		}
	}
	return true
}

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

func most(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
