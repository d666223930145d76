package transformers

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// Mounts checks that every mount of the payload has its volume in the pod.
func Mounts(pod *Pod, _ *injector.Injector) []finding.Finding {
	var met []finding.Finding
	for _, list := range []string{containers, initContainers} {
		for i, container := range pod.entries(list) {
			name := node.Text(container, "name")
			isOurs := func(mount *yaml.Node) bool {
				return pod.containers[name] || slices.ContainsFunc(pod.mounts[name], func(ours *yaml.Node) bool { return node.Equal(ours, mount) })
			}
			met = append(met, danglingMounts(pod, container, pod.at(list, i), isOurs)...)
		}
	}
	return met
}

// danglingMounts looks at the mounts that are the payload's; what the app mounts is its own affair.
func danglingMounts(pod *Pod, container *yaml.Node, path string, isOurs func(mount *yaml.Node) bool) []finding.Finding {
	var met []finding.Finding
	for _, list := range []string{"volumeMounts", "volumeDevices"} {
		for i, mount := range node.List(container, list) {
			volume := node.Text(mount, "name")
			if !isOurs(mount) || named(pod.entries("volumes"), volume) >= 0 || slices.Contains(pod.ClaimTemplates, volume) {
				continue
			}
			met = append(met, problem(finding.Error, finding.DanglingMount, path+"."+list+"["+strconv.Itoa(i)+"].name",
				"container %q mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes",
				node.Text(container, "name"), volume))
		}
	}
	return met
}
