package export

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// uncheckable are the fields behind which Pillion looks at the pod and may refuse it. Where it
// does not, patches give the same pod.
func uncheckable(in *injector.Injector, s scope) []gap {
	g := gaps{in: in}
	g.unseen(containers, in.Containers)
	g.unseen(initContainers, in.InitContainers)
	g.merged(s)
	g.renamed()
	claims := slices.ContainsFunc(s.kinds, func(k podtemplate.Kind) bool { return k.Kind == "StatefulSet" })
	if len(in.Volumes) > 0 && claims {
		g.say(volumes, "", "patches do not look whether a StatefulSet's volumeClaimTemplates have one of these names")
	}
	for i, patch := range in.PodMetadata {
		if len(node.Keys(patch.Labels)) > 0 && patch.Policy == v1alpha1.PatchOverwrite && !s.onlyPods() {
			g.say("patchPodMetadata", index(i)+".labels", "patches do not look whether a workload's selector needs the label as it was")
		}
	}
	checks := in.Spec.Checks
	for _, check := range []struct {
		field string
		asked bool
	}{
		{".podSecurity", checks.PodSecurity != ""},
		{".requireResources", checks.RequireResources != v1alpha1.CheckOff},
		{".requireDigest", checks.RequireDigest != v1alpha1.CheckOff},
	} {
		if check.asked {
			g.say("checks", check.field, "patches check nothing")
		}
	}
	if in.Spec.Expect != nil {
		g.say("expect", "", "patches do not count the workloads that they are for")
	}
	return g.found
}

// renamed are conditions on what a kustomization changes after its patches. Kubernetes' own
// namespaces and the marker, of which every injector has conditions, are told of in the file: to
// ask for each export would teach people to agree without reading.
func (g *gaps) renamed() {
	const before = "patches see %s before the namespace, prefix and suffix of the kustomization that they stand in, and Flux's targetNamespace"
	var usual v1alpha1.Namespaces
	usual.Default()
	if len(g.in.Spec.Namespaces.Include) > 0 {
		g.say("namespaces", ".include", before, "namespaces")
	} else if asked := g.in.Spec.Namespaces.Exclude; len(asked) > 0 && !slices.Equal(asked, usual.Exclude) {
		g.say("namespaces", ".exclude", before, "namespaces")
	}
	if len(g.in.Spec.Names) > 0 {
		g.say("names", "", before, "names")
	}
}

// merged are lists that may be missing, so that they have to come out of kustomize's own merge. It
// drops what an entry has twice under one key. Volumes are in no need of it: Kubernetes refuses
// two of one name.
func (g *gaps) merged(s scope) {
	const twice = "kustomize drops all but one of what the app has twice under one name there, such as %s"
	if len(g.in.InitContainers) > 0 {
		g.say(initContainers, "", twice, "a variable of an init container")
	}
	for i, c := range g.in.Containers {
		becomes := c.Mode == v1alpha1.ModeNative || c.Mode == v1alpha1.ModeAuto && slices.ContainsFunc(s.sites(g.in), func(s site) bool { return s.finishes })
		if becomes {
			g.say(containers, index(i)+".mode", "a native sidecar goes to the init containers, and "+twice, "a variable of an init container")
		}
	}
	if len(g.in.ImagePullSecrets) > 0 {
		g.say(imagePullSecrets, "", twice, "a secret")
	}
}

// unseen is what containers have that must fit the app's.
func (g *gaps) unseen(list string, all []injector.Container) {
	for i, c := range all {
		runsOn := list == containers || node.Text(c.Body, "restartPolicy") == "Always"
		if runsOn && len(node.List(c.Body, "ports")) > 0 {
			g.say(list, index(i)+".ports", "patches do not look whether another container has one of these ports")
		}
		for _, mounts := range []string{"volumeMounts", "volumeDevices"} {
			for n, mount := range node.List(c.Body, mounts) {
				name := node.Text(mount, "name")
				if !slices.Contains(entryNames(g.in.Volumes), name) {
					g.say(list, index(i)+"."+mounts+index(n), "patches do not look whether the pod has the volume %q", name)
				}
			}
		}
	}
}
