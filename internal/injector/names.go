package injector

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
)

// Declared returns the names of other objects in the payload, with variables as they are written.
func (i *Injector) Declared() pod.Declared {
	names := pod.Declared{}
	names.Add(pod.Of("spec"), i.PodSpec)
	for _, list := range [...][]Container{i.InitContainers, i.Containers} {
		for _, c := range list {
			names.Add(pod.InSpec(pod.Main).Entry(), c.Body)
		}
	}
	addEntries := func(row *pod.Row, entries ...*yaml.Node) {
		for _, entry := range entries {
			names.Add(row.Entry(), entry)
		}
	}
	for _, rule := range i.AppContainers {
		for _, app := range rule.Each() {
			addEntries(pod.InContainer("env"), app.Env...)
			addEntries(pod.InContainer("envFrom"), app.EnvFrom...)
		}
	}
	for _, volume := range i.Volumes {
		addEntries(pod.InSpec("volumes"), volume.Body)
	}
	for _, secret := range i.ImagePullSecrets {
		addEntries(pod.InSpec("imagePullSecrets"), secret.Body)
	}
	return names
}
