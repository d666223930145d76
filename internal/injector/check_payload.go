package injector

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/schema"
	"pillion.dev/pillion/internal/yaml/node"
)

func (c checker) checkPayload() {
	if c.isEmpty() && c.spec.Action != v1alpha1.Remove { // which goes by what is written down in the pods
		c.require(c.at("containers"), "there is nothing to inject; write at least one of containers, initContainers, volumes,"+
			" imagePullSecrets, appContainers, patchPodMetadata and podSpec")
	}
	names := firstUses{}
	for i := range c.spec.Containers {
		container := &c.spec.Containers[i]
		at := c.at("containers").index(i)
		c.checkContainer(at, &container.Container, names)
		c.checkPlacement(at, container.Name, container.Placement)
		c.checkFromApp(at, &container.Container, &container.FromApp)
		c.checkSidecar(at, container)
		c.checkAPIRules(at, "containers", i)
		c.checkOverrides(at, container.Name, container.AllowOverride, true)
	}
	for i := range c.spec.InitContainers {
		container := &c.spec.InitContainers[i]
		at := c.at("initContainers").index(i)
		c.checkContainer(at, &container.Container, names)
		c.checkPlacement(at, container.Name, container.Placement)
		c.checkFromApp(at, &container.Container, &container.FromApp)
		c.checkInitContainer(at, container)
		c.checkAPIRules(at, "initContainers", i)
		c.checkOverrides(at, container.Name, container.AllowOverride, false)
	}
	c.checkVolumes()
	c.checkImagePullSecrets()
}

// isEmpty tells whether there is no payload at all.
func (c checker) isEmpty() bool {
	s := c.spec
	return len(s.Containers)+len(s.InitContainers)+len(s.Volumes)+len(s.ImagePullSecrets)+len(s.AppContainers)+len(s.PatchPodMetadata) == 0 &&
		len(node.Keys(node.Get(c.fields, "podSpec"))) == 0
}

// checkSidecar checks what only a container of the containers list can have.
func (c checker) checkSidecar(at path, container *v1alpha1.Container) {
	if policy := container.RestartPolicy; policy != nil {
		c.refusef(at.key("restartPolicy"), string(*policy),
			"a plain container has no restart policy of its own; remove it, and write mode: Native for a native sidecar")
	}
	if container.Mode == v1alpha1.ModeNative && !supportsNative(c.spec.KubernetesVersion) {
		c.refusef(at.key("mode"), string(container.Mode),
			"native sidecars need Kubernetes 1.29, and kubernetesVersion is %s; write mode: Container or raise the version", c.spec.KubernetesVersion)
	}
}

// checkInitContainer checks an init container that is written as a native sidecar.
func (c checker) checkInitContainer(at path, container *v1alpha1.InitContainer) {
	if policy := container.RestartPolicy; policy != nil && !supportsNative(c.spec.KubernetesVersion) {
		c.refusef(at.key("restartPolicy"), string(*policy),
			"native sidecars need Kubernetes 1.29, and kubernetesVersion is %s; remove it or raise the version", c.spec.KubernetesVersion)
	}
}

func (c checker) checkPlacement(at path, name string, placement v1alpha1.Placement) {
	if placement.Before != "" && placement.After != "" {
		c.refusef(at.key("after"), placement.After, "before and after cannot both be given; keep one")
	}
	for _, neighbour := range []struct{ field, name string }{{"before", placement.Before}, {"after", placement.After}} {
		if neighbour.name == "" {
			continue
		}
		if neighbour.name == name {
			c.refusef(at.key(neighbour.field), name, "a container cannot stand %s itself; name another", neighbour.field)
		}
		c.checkWord(at.key(neighbour.field), neighbour.name, "container", validation.IsDNS1123Label)
	}
}

func (c checker) checkVolumes() {
	names := firstUses{}
	for i := range c.spec.Volumes {
		volume := &c.spec.Volumes[i]
		at := c.at("volumes").index(i)
		c.checkPayloadName(at, volume.Name, "volume", names)
		if sources := sourcesOf(volume); len(sources) > 1 {
			c.refusef(at.key(sources[1]), "", "the volume has %s already, and a volume has one source; remove one", sources[0])
		}
	}
}

// sourcesOf names the sources that a volume has. None is an emptyDir, to Kubernetes.
func sourcesOf(volume *corev1.Volume) []string {
	var names []string
	sources := reflect.ValueOf(volume.VolumeSource)
	for _, field := range schema.Fields(sources.Type()) {
		if !sources.FieldByIndex(field.Index).IsNil() {
			names = append(names, field.Name)
		}
	}
	return names
}

func (c checker) checkImagePullSecrets() {
	names := firstUses{}
	for i, secret := range c.spec.ImagePullSecrets {
		at := c.at("imagePullSecrets").index(i)
		if secret.Name == "" {
			c.require(at.key("name"), "an imagePullSecret needs the name of a Secret; write it")
			continue
		}
		c.checkWord(at.key("name"), secret.Name, "Secret", validation.IsDNS1123Subdomain)
		c.checkUnique(at, secret.Name, names)
	}
}

// checkPayloadName checks that an entry has a name, a valid one, and alone.
func (c checker) checkPayloadName(at path, name, what string, names firstUses) {
	if name == "" {
		c.require(at.key("name"), fmt.Sprintf("a %s needs a name; write one", what))
		return
	}
	c.checkWord(at.key("name"), name, what, validation.IsDNS1123Label)
	c.checkUnique(at, name, names)
}

func (c checker) checkUnique(at path, name string, names firstUses) {
	if first, again := names.add(name, at); again {
		c.refusef(at.key("name"), name, "%s has the name %q already; rename one of them", first, name)
	}
}
