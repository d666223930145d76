package payload

import (
	"maps"
	"math/big"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/yaml/node"
)

// PodResource is a resource in the requests or limits of the pod itself.
type PodResource struct{ List, Name string }

// Growth is what was added to the resources of the pod itself.
type Growth map[PodResource]*big.Rat

// sums are what the containers of a pod have together: their requests, and the bounds of those that run beside the app.
type sums struct{ requests, bounds resources.Amounts }

func sumsOf(spec *yaml.Node) sums {
	return sums{resources.Sum(spec, resources.Requests), resources.Running(spec, resources.Bounds)}
}

// appSpec returns the pod spec as the app has it.
func (p *Pod) appSpec() *yaml.Node {
	if p.Pristine == nil {
		return p.Spec()
	}
	return node.Get(p.Pristine(), "spec")
}

// follows reports whether the injector has a policy, and the app's pod has resources of its own.
func (p *Pod) follows(policy v1alpha1.PodResources) bool {
	return p.payload.Spec.PodResources == policy && !node.IsNull(node.Get(p.Spec(), "resources")) &&
		!node.IsNull(node.Get(p.appSpec(), "resources"))
}

// withoutPodResources returns a container of the payload without the resources that the pod has for all of its containers.
func withoutPodResources(pod *Pod, body *yaml.Node) *yaml.Node {
	if !pod.follows(v1alpha1.PodResourcesShare) || node.IsNull(node.Get(body, "resources")) {
		return body
	}
	body = node.Fresh(body)
	own := node.Get(body, "resources")
	for name := range resources.Requests(pod.appSpec()) {
		for _, list := range []string{"requests", "limits"} {
			if amounts := node.Get(own, list); amounts != nil {
				node.Delete(amounts, name)
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

// addUpBefore adds up the containers before the payload is added.
func addUpBefore(pod *Pod) []finding.Finding {
	if pod.follows(v1alpha1.PodResourcesGrow) {
		pod.sums = sumsOf(pod.Spec())
	}
	return nil
}

// growPodResources adds what the payload requests to the resources that the app's pod has for all of its containers.
func growPodResources(pod *Pod) []finding.Finding {
	if pod.sums.requests == nil || !pod.follows(v1alpha1.PodResourcesGrow) {
		return nil
	}
	spec := pod.appSpec()
	app, now := resources.Sum(spec, resources.Requests), sumsOf(pod.Spec())
	requests, limits := resources.Read(spec, "requests"), resources.Limits(spec)
	var findings []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(resources.Requests(spec))) {
		request, limit := PodResource{"requests", name}, PodResource{"limits", name}
		others, isGrown := pod.GrownByOthers[request]
		if !isGrown {
			others = new(big.Rat)
		}
		// How much room an init container that ends leaves depends on the other injectors, which may have added what is needed.
		added, needed := minus(now.requests.Of(name), pod.sums.requests.Of(name)), minus(now.requests.Of(name), app.Of(name), others)
		byRequest := most(new(big.Rat), least(added, needed))
		byLimit := most(byRequest, minus(now.bounds.Of(name), pod.sums.bounds.Of(name)))
		// If no container requests the resource, the limit of the pod is also its request, and must stay so.
		isImplied := limits[name] != nil && !resources.IsHugePages(name) && app[name] == nil && now.requests[name] != nil &&
			node.Get(spec, "resources", "requests", name) == nil && (isGrown || node.Get(pod.Spec(), "resources", "requests", name) == nil)
		if isImplied || limits[name] != nil && requests[name] != nil && limits[name].Cmp(requests[name]) == 0 {
			byRequest = byLimit
		}
		if limits[name] != nil && byLimit.Sign() > 0 {
			findings = append(findings, pod.grow(limit, limits[name], byLimit)...)
		}
		if isImplied {
			findings = append(findings, pod.grow(request, limits[name], byRequest)...)
		} else if requests[name] != nil && byRequest.Sign() > 0 {
			findings = append(findings, pod.grow(request, requests[name], byRequest)...)
		}
	}
	return findings
}

// grow adds an amount to a resource of the pod, or to what counts if the pod does not have it.
func (p *Pod) grow(r PodResource, otherwise, amount *big.Rat) []finding.Finding {
	if !isWrittenHere(p.appSpec(), "resources", r.List, r.Name) {
		return []finding.Finding{newFinding(finding.Error, finding.InvalidResources, p.At("spec.resources"),
			"the %s of the pod are written elsewhere, and used here by a YAML alias or merge key, so they cannot grow; "+
				"write out the resources of the pod in the manifest, or set spec.podResources to Share", r.List)}
	}
	list := node.OwnMapping(node.OwnMapping(p.Spec(), "resources"), r.List)
	present := node.Get(list, r.Name)
	if there, ok := resources.Amount(present); ok {
		otherwise = there
	}
	node.Set(list, r.Name, node.StringLike(present, resources.Format(r.Name, new(big.Rat).Add(otherwise, amount))))
	if p.Grown == nil {
		p.Grown = Growth{}
	}
	p.Grown[r] = amount
	p.changed = true
	return nil
}

// isWrittenHere reports whether no alias or merge key is on the way to a value, which may be missing.
func isWrittenHere(in *yaml.Node, path ...string) bool {
	for _, key := range path {
		i := node.Index(in, key)
		if i < 0 {
			return node.Get(in, key) == nil
		}
		if in = in.Content[i+1]; in.Kind == yaml.AliasNode {
			return false
		}
	}
	return true
}

func minus(from *big.Rat, amounts ...*big.Rat) *big.Rat {
	left := new(big.Rat).Set(from)
	for _, amount := range amounts {
		left.Sub(left, amount)
	}
	return left
}

func most(amounts ...*big.Rat) *big.Rat { return slices.MaxFunc(amounts, (*big.Rat).Cmp) }

func least(amounts ...*big.Rat) *big.Rat { return slices.MinFunc(amounts, (*big.Rat).Cmp) }
