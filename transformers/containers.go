package transformers

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// Containers adds the sidecars, as plain containers or as native ones.
func Containers(pod *Pod, in *injector.Injector) []finding.Finding {
	var met []finding.Finding
	if len(in.Containers) > 0 && len(pod.entries(containers)) == 0 && !pod.Partial {
		met = append(met, problem(finding.Warning, finding.NoContainers, pod.At("spec."+containers),
			"the pod has no containers of its own; is something missing, or indented wrongly?"))
	}
	for _, sidecar := range in.Containers {
		native, said := nativeIn(pod, in, sidecar)
		met = append(met, said...)
		if finding.HasError(said) {
			continue
		}
		list, body := containers, node.Fresh(sidecar.Body)
		if native {
			list = initContainers
			node.Set(body, "restartPolicy", node.String("Always"))
		}
		met = append(met, addContainer(pod, in, sidecar, list, body)...)
	}
	return met
}

// InitContainers adds the payload's init containers.
func InitContainers(pod *Pod, in *injector.Injector) []finding.Finding {
	var met []finding.Finding
	for _, container := range in.InitContainers {
		met = append(met, addContainer(pod, in, container, initContainers, node.Fresh(container.Body))...)
	}
	return met
}

// addContainer brings one container into a list, or settles with what is there already under
// its name. Container names are one space over both lists.
func addContainer(pod *Pod, in *injector.Injector, c injector.Container, list string, body *yaml.Node) []finding.Finding {
	met := settlePorts(pod, in, c.Name, list, body)
	if finding.HasError(met) {
		return met
	}
	for _, there := range []string{containers, initContainers} {
		if at := named(pod.entries(there), c.Name); at >= 0 {
			return append(met, meetContainer(pod, in, c, there, at, list, body)...)
		}
	}
	at, said := position(pod.entries(list), in, c, list, body)
	for i := range said {
		said[i].Field.Path = pod.At("spec." + list)
	}
	pod.insert(list, at, body)
	return append(met, said...)
}

// meetContainer decides about a container that is there already, at an index of a list, where
// the payload's body should stand in the wanted list.
func meetContainer(pod *Pod, in *injector.Injector, c injector.Container, list string, at int, wanted string, body *yaml.Node) []finding.Finding {
	present := pod.entries(list)[at]
	if list == wanted && node.Equal(present, body) {
		return nil
	}
	path := pod.at(list, at)
	switch in.Spec.OnConflict.Container {
	case v1alpha1.ContainerKeep:
		return []finding.Finding{problem(finding.Info, finding.ContainerConflict, path,
			"container %q differs from the injector's and stays as it is (spec.onConflict.container: Keep)", c.Name)}
	case v1alpha1.ContainerMerge:
		return mergeContainer(pod, in, list, at, body)
	case v1alpha1.ContainerReplace:
		if list == wanted {
			pod.replace(list, at, body)
			return nil
		}
		pod.remove(list, at)
		place, _ := position(pod.entries(wanted), in, c, wanted, body)
		pod.insert(wanted, place, body)
		return nil
	default:
		f := problem(finding.Error, finding.ContainerConflict, path,
			"container %q is already there and differs%s; rename it, or set spec.onConflict.container to Keep, Merge or Replace",
			c.Name, difference(present, body, list, wanted))
		return []finding.Finding{f}
	}
}

// difference helps to see at a glance why two containers are not the same.
func difference(present, body *yaml.Node, list, wanted string) string {
	if list != wanted {
		return " (it is in " + list + ", and the injector's goes to " + wanted + ")"
	}
	keys := append(node.Keys(body), node.Keys(present)...)
	slices.Sort(keys)
	keys = slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		return node.Equal(node.Get(present, key), node.Get(body, key))
	})
	return " in " + strings.Join(keys, ", ")
}
