package export

import (
	"fmt"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// entryOwners maps everything that injectors add, such as `volume "logs"`, to the first injector that adds it. Pillion shares
// what two of them add or resolves the conflict, while the patches of the second would stop the build.
type entryOwners map[string]string

// add records what an injector adds, and returns a limit for each thing that is added already.
func (o entryOwners) add(in *injector.Injector) []limit {
	l := limits{in: in}
	add := func(field, what string) {
		first, exists := o[what]
		switch {
		case !exists:
			o[what] = in.Name
		case first == in.Name:
			l.add(field, "%s is listed twice, and which of the two applies depends on the pod; remove one", what)
		default:
			l.add(field, "injector %s adds %s as well, and patches cannot share it; export the injectors separately, for different workloads, "+
				"or give each its own", first, what)
		}
	}
	for i, c := range in.Containers {
		add(index(containers, i), fmt.Sprintf("container %q", c.Name))
	}
	for i, c := range in.InitContainers {
		add(index(initContainers, i), fmt.Sprintf("container %q", c.Name))
	}
	for i, volume := range in.Volumes {
		add(index(volumes, i), fmt.Sprintf("volume %q", volume.Name))
	}
	for i, secret := range in.ImagePullSecrets {
		add(index(imagePullSecrets, i), fmt.Sprintf("imagePullSecret %q", secret.Name))
	}
	for i, patch := range in.PodMetadata {
		for _, name := range node.Keys(patch.Labels) {
			add(index(patchPodMetadata, i)+".labels", fmt.Sprintf("label %q", name))
		}
		for _, name := range node.Keys(patch.Annotations) {
			add(index(patchPodMetadata, i)+".annotations", fmt.Sprintf("annotation %q", name))
		}
	}
	for _, field := range node.Keys(in.PodSpec) {
		add("podSpec."+field, "pod field "+field)
	}
	return l.list
}
