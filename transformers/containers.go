package transformers

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
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
		if node.Text(container.Body, "restartPolicy") == "Always" {
			met = append(met, sayReadiness(pod, container)...)
		}
		met = append(met, addContainer(pod, in, container, initContainers, node.Fresh(container.Body))...)
	}
	return met
}

// addContainer brings one container into a list, or settles with what is there already under
// its name. Container names are one space over all lists.
func addContainer(pod *Pod, in *injector.Injector, c injector.Container, list string, body *yaml.Node) []finding.Finding {
	if at := named(pod.entries(ephemeralContainers), c.Name); at >= 0 {
		return []finding.Finding{problem(finding.Error, finding.ContainerConflict, pod.at(ephemeralContainers, at),
			"an ephemeral container is already called %q; rename one of them, or take ephemeralContainers out of the manifest", c.Name)}
	}
	met := takeOver(pod, in, c, list, body)
	met = append(met, settlePorts(pod, in, c.Name, list, body)...)
	other := containers
	if list == containers {
		other = initContainers
	}
	at, elsewhere := named(pod.entries(list), c.Name), named(pod.entries(other), c.Name)
	switch {
	case at < 0 && elsewhere < 0:
		if finding.HasError(met) {
			return met
		}
		place, said := position(pod, in, c, list, body)
		pod.insert(list, place, body)
		return append(met, said...)
	case in.Spec.OnConflict.Container == v1alpha1.ContainerKeep:
		return keepContainer(pod, c.Name, list, at, body)
	case elsewhere >= 0:
		return []finding.Finding{problem(finding.Error, finding.ContainerConflict, pod.at(other, elsewhere),
			"container %q is already there, in %s, and the injector's goes to %s; rename it, or set spec.onConflict.container to Keep", c.Name, other, list)}
	case finding.HasError(met):
		return met
	default:
		return append(met, meetContainer(pod, in, c.Name, list, at, body)...)
	}
}

// keepContainer leaves a container alone that is there already, at an index of the list or in
// the other list.
func keepContainer(pod *Pod, name, list string, at int, body *yaml.Node) []finding.Finding {
	if at >= 0 && node.Equal(pod.entries(list)[at], body) {
		return nil
	}
	return []finding.Finding{problem(finding.Info, finding.ContainerConflict, pod.At("spec."+list),
		"container %q differs from the injector's and stays as it is (spec.onConflict.container: Keep)", name)}
}

// meetContainer decides about a container that is there already, where the payload's goes.
func meetContainer(pod *Pod, in *injector.Injector, name, list string, at int, body *yaml.Node) []finding.Finding {
	present := pod.entries(list)[at]
	if node.Equal(present, body) {
		pod.ours(name)
		return nil
	}
	switch in.Spec.OnConflict.Container {
	case v1alpha1.ContainerMerge:
		return mergeContainer(pod, in, list, at, body)
	case v1alpha1.ContainerReplace:
		pod.replace(list, at, body)
		return nil
	default:
		differing := differences(present, body)
		f := problem(finding.Error, finding.ContainerConflict, pod.at(list, at),
			"container %q is already there and differs in %s; %s", name, strings.Join(differing, ", "), waysOut(in, Adoptable(present, body)))
		f.Field.Path += "." + differing[0]
		f.Field.Current, f.Field.Proposed = node.Brief(node.Get(present, differing[0])), node.Brief(node.Get(body, differing[0]))
		return []finding.Finding{f}
	}
}

// waysOut is what to do about a container that is there already and differs.
func waysOut(in *injector.Injector, adoptable bool) string {
	const settle, onlyImage = "rename it, or set spec.onConflict.container to Keep, Merge or Replace", "spec.adopt is for those that differ in image and order alone"
	switch {
	case in.Spec.Adopt && adoptable:
		return "the pod has no container beside it, so spec.adopt takes it for the app's; " + settle
	case in.Spec.Adopt:
		return onlyImage + "; make it equal to the payload, " + settle
	case adoptable && in.Kind == "":
		return settle + "; where it was injected before, without a stamp, set spec.adopt to true"
	default:
		return settle
	}
}

// differences are the fields that two containers do not agree in.
func differences(a, b *yaml.Node) []string {
	keys := append(node.Keys(a), node.Keys(b)...)
	slices.Sort(keys)
	inA, inB := node.Values(a), node.Values(b)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		return node.Equal(inA(key), inB(key))
	})
}
