package export

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// claims are what injectors bring, by its kind and name, and who was first. What two bring,
// Pillion shares or settles; the patches of the second would stop at the first.
type claims map[string]string

// by adds what an injector brings, and finds what is there already.
func (c claims) by(in *injector.Injector) []gap {
	g := gaps{in: in}
	claim := func(what, field, rest string) {
		first, taken := c[what]
		switch {
		case !taken:
			c[what] = in.Name
		case first == in.Name:
			g.say(field, rest, "%s is there twice, and which of them counts is decided pod by pod; leave one out", what)
		default:
			g.say(field, rest, "injector %s brings %s, too, and patches cannot share it; export the injectors one by one, for different workloads, or give each its own", first, what)
		}
	}
	for i, name := range slices.Concat(containerNames(in.Containers), containerNames(in.InitContainers)) {
		field, at := containers, i
		if i >= len(in.Containers) {
			field, at = initContainers, i-len(in.Containers)
		}
		claim(fmt.Sprintf("container %q", name), field, index(at))
	}
	for i, volume := range in.Volumes {
		claim(fmt.Sprintf("volume %q", volume.Name), volumes, index(i))
	}
	for i, secret := range in.ImagePullSecrets {
		claim(fmt.Sprintf("imagePullSecret %q", secret.Name), imagePullSecrets, index(i))
	}
	for i, patch := range in.PodMetadata {
		for _, name := range node.Keys(patch.Labels) {
			claim(fmt.Sprintf("label %q", name), "patchPodMetadata", index(i)+".labels")
		}
		for _, name := range node.Keys(patch.Annotations) {
			claim(fmt.Sprintf("annotation %q", name), "patchPodMetadata", index(i)+".annotations")
		}
	}
	for _, field := range node.Keys(in.PodSpec) {
		claim("pod field "+field, "podSpec", "."+field)
	}
	return g.found
}

func containerNames(all []injector.Container) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}
