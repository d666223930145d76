package export

import (
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// refusals returns patches that stop the build at objects that Pillion may inject into, and patches cannot.
func (s scope) refusals() []Patch {
	var patches []Patch
	for _, target := range s.unsupportedTargets() {
		patches = append(patches, refusal(target, "Pillion supports these kinds, and patches do not, so they stop the build.",
			"patches do not support this kind; exclude it by spec.rules, or move it to a separate kustomization"))
	}
	if len(s.excluded) > 0 {
		target := s.target(s.kinds, nil, s.names)
		target.Namespace = namespaceExpression(s.excluded)
		patches = append(patches, refusal(target,
			"A target cannot exclude namespaces, so workloads in those of spec.namespaces.exclude and of Kubernetes itself stop the build.",
			"this workload is in an excluded namespace; move it to a separate kustomization"))
	}
	return patches
}

// refusal returns a patch with a test that always fails. The reason is the path of the test, which kustomize prints.
func refusal(target Target, comment, reason string) Patch {
	var o operations
	o.test("/pillion export: "+reason, node.String("never"))
	return Patch{Comment: comment, Body: o.body(), Target: target}
}

// unsupportedTargets returns targets for the kinds with pod templates that patches cannot change. The kinds of the core group
// have their own target, which keeps Knative's Service apart from the one in the core group.
func (s scope) unsupportedTargets() []Target {
	var core, grouped []pod.Kind
	for _, kind := range s.refused {
		if kind.Group == "" {
			core = append(core, kind)
		} else {
			grouped = append(grouped, kind)
		}
	}
	var targets []Target
	add := func(kinds []pod.Kind, version string) {
		if len(kinds) > 0 {
			target := s.target(kinds, s.namespaces, s.names)
			target.Version = version
			targets = append(targets, target)
		}
	}
	add(core, "")
	add(grouped, "")
	add(s.outdated, alternatives(formerVersions))
	return targets
}
