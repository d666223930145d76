package export

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// findUnchecked returns the fields for which Pillion checks the pod and may refuse it, and patches do not. For a pod that
// passes the checks, the patches create the same.
func findUnchecked(in *injector.Injector, s scope) []limit {
	l := limits{in: in}
	l.addPortsAndMounts(containers, in.Containers)
	l.addPortsAndMounts(initContainers, in.InitContainers)
	l.addDroppedEntries(s)
	l.addRenamed()
	hasClaims := slices.ContainsFunc(s.kinds, func(k podtemplate.Kind) bool { return k.Kind == "StatefulSet" })
	if len(in.Volumes) > 0 && hasClaims {
		l.add(volumes, "patches do not check whether the volumeClaimTemplates of a StatefulSet have one of these names")
	}
	for i, patch := range in.PodMetadata {
		if len(node.Keys(patch.Labels)) > 0 && patch.Policy == v1alpha1.PatchOverwrite && !s.hasOnlyPods() {
			l.add(index(patchPodMetadata, i)+".labels", "patches do not check whether the selector of a workload needs the old value")
		}
	}
	checks := in.Spec.Checks
	if checks.PodSecurity != "" {
		l.add("checks.podSecurity", "patches do not run checks")
	}
	if checks.RequireResources != v1alpha1.CheckOff {
		l.add("checks.requireResources", "patches do not run checks")
	}
	if checks.RequireDigest != v1alpha1.CheckOff {
		l.add("checks.requireDigest", "patches do not run checks")
	}
	if in.Spec.Expect != nil {
		l.add("expect", "patches do not count the workloads that they change")
	}
	return l.list
}

// addPortsAndMounts adds limits for fields of containers that must fit the rest of the pod.
func (l *limits) addPortsAndMounts(list string, all []injector.Container) {
	for i, c := range all {
		keepsRunning := list == containers || node.Text(c.Body, "restartPolicy") == "Always"
		if keepsRunning && len(node.List(c.Body, "ports")) > 0 {
			l.add(index(list, i)+".ports", "patches do not check whether another container has one of these ports")
		}
		for _, field := range []string{"volumeMounts", "volumeDevices"} {
			for n, mount := range node.List(c.Body, field) {
				name := node.Text(mount, "name")
				if !slices.Contains(entryNames(l.in.Volumes), name) {
					l.add(index(list, i)+"."+index(field, n), "patches do not check whether the pod has the volume %q", name)
				}
			}
		}
	}
}

// addDroppedEntries adds limits for lists that pods may not have yet, so that they come from kustomize's merge, which drops
// repeated entries. Volumes need none: Kubernetes refuses two with the same name.
func (l *limits) addDroppedEntries(s scope) {
	const twice = "kustomize drops entries that repeat a name there, such as %s"
	if len(l.in.InitContainers) > 0 {
		l.add(initContainers, twice, "a variable of an init container")
	}
	finishes := s.hasFinishing(l.in)
	for i, c := range l.in.Containers {
		if l.in.IsNative(c, finishes) {
			l.add(index(containers, i)+".mode", "a native sidecar becomes an init container, and "+twice, "a variable of an init container")
		}
	}
	if len(l.in.ImagePullSecrets) > 0 {
		l.add(imagePullSecrets, twice, "a secret")
	}
}

// addRenamed adds limits for selections by namespaces and names, which kustomize changes after its patches. It adds none for
// the namespaces that are excluded by default, because then every export would need --without-checks.
func (l *limits) addRenamed() {
	const before = "patches see %s before the namespace, prefix and suffix of their kustomization, and Flux's targetNamespace, apply"
	var defaults v1alpha1.Namespaces
	defaults.Default()
	if len(l.in.Spec.Namespaces.Include) > 0 {
		l.add("namespaces.include", before, "namespaces")
	} else if exclude := l.in.Spec.Namespaces.Exclude; len(exclude) > 0 && !slices.Equal(exclude, defaults.Exclude) {
		l.add("namespaces.exclude", before, "namespaces")
	}
	if len(l.in.Spec.Names) > 0 {
		l.add("names", before, "names")
	}
}
