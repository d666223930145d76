package transformers

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// Mounts checks that every mount of the payload's containers has its volume in the pod.
func Mounts(pod *Pod, _ *injector.Injector) []finding.Finding {
	var met []finding.Finding
	for _, list := range []string{containers, initContainers} {
		for i, container := range pod.entries(list) {
			if pod.containers[node.Text(container, "name")] {
				met = append(met, danglingMounts(pod, container, pod.at(list, i))...)
			}
		}
	}
	return met
}

func danglingMounts(pod *Pod, container *yaml.Node, path string) []finding.Finding {
	var met []finding.Finding
	for _, list := range []string{"volumeMounts", "volumeDevices"} {
		for i, mount := range node.List(container, list) {
			volume := node.Text(mount, "name")
			if named(pod.entries("volumes"), volume) >= 0 || slices.Contains(pod.ClaimTemplates, volume) {
				continue
			}
			met = append(met, problem(finding.Error, finding.DanglingMount, path+"."+list+"["+strconv.Itoa(i)+"].name",
				"container %q mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes",
				node.Text(container, "name"), volume))
		}
	}
	return met
}
