package export

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// findUnchecked returns the fields for which Pillion checks the pod and may refuse it, and patches do not. For a pod that
// passes the checks, the patches create the same.
func findUnchecked(in *injector.Injector, s scope) []limit {
	l := limits{in: in}
	l.addPortsAndMounts(containers, in.Containers)
	l.addPortsAndMounts(initContainers, in.InitContainers)
	l.addRenamed(s)
	hasClaims := slices.ContainsFunc(s.kinds, func(k pod.Kind) bool { return k.Kind == "StatefulSet" })
	l.addIf(len(in.Volumes) > 0 && hasClaims, volumes,
		"patches do not check whether the volumeClaimTemplates of a StatefulSet have one of these names")
	for i, patch := range in.PodMetadata {
		overwrites := len(node.Keys(patch.Labels)) > 0 && patch.Policy == v1alpha1.PatchOverwrite && !s.hasOnlyPods()
		l.addIf(overwrites, index(patchPodMetadata, i)+".labels",
			"patches do not check whether the selector of a workload needs the old value")
	}
	checks := in.Spec.Checks
	l.addIf(checks.PodSecurity != "", "checks.podSecurity", "patches do not run checks")
	l.addIf(checks.RequireResources != v1alpha1.CheckOff, "checks.requireResources", "patches do not run checks")
	l.addIf(checks.RequireDigest != v1alpha1.CheckOff, "checks.requireDigest", "patches do not run checks")
	l.addIf(in.Spec.Expect != nil, "expect", "patches do not count the workloads that they change")
	return l.list
}

// addPortsAndMounts adds limits for fields of containers that must fit the rest of the pod.
func (l *limits) addPortsAndMounts(list string, all []injector.Container) {
	for i, c := range all {
		keepsRunning := list == containers || node.Text(c.Body, "restartPolicy") == "Always"
		l.addIf(keepsRunning && len(node.List(c.Body, "ports")) > 0, index(list, i)+".ports",
			"patches do not check whether another container has one of these ports")
		for _, field := range []string{"volumeMounts", "volumeDevices"} {
			for n, mount := range node.List(c.Body, field) {
				name := node.Text(mount, "name")
				l.addIf(!slices.Contains(entryNames(l.in.Volumes), name), index(list, i)+"."+index(field, n),
					"patches do not check whether the pod has the volume %q", name)
			}
		}
	}
}

// addRenamed adds limits for selections by namespaces and names, which kustomize changes after its patches. It adds none for
// Kubernetes' own namespaces, which are always excluded, because then every export would need --without-checks.
func (l *limits) addRenamed(s scope) {
	const before = "patches apply before the namespace, prefix and suffix of their kustomization, and Flux's targetNamespace, change %s"
	namespaces := l.in.Spec.Namespaces
	l.addIf(len(s.namespaces) > 0, "namespaces.include", before, "namespaces")
	l.addIf(len(s.namespaces) == 0 && len(namespaces.Exclude) > 0, "namespaces.exclude", before, "namespaces")
	l.addIf(len(l.in.Spec.Names) > 0, "names", before, "names")
}
