package form

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// readSidecarSet makes an injector of OpenKruise's SidecarSet. It does to manifests what
// the SidecarSet does to pods that are created from them.
func (d reader) readSidecarSet(config *node.Node) Form {
	var set sidecarSet
	d.Injector = d.Object.Name
	d.Foreign = allowedInSidecarSets
	d.Decode(config, &set, "")
	c := sidecarSetChecker{d.Problems, &set}
	c.check()
	if !finding.HasError(d.Findings) {
		c.warnOfUnused(node.Get(config, "spec"))
	}
	converter := sidecarSetConverter{
		spec:      node.Get(config, "spec"),
		made:      node.Mapping(),
		positions: schema.Positions{},
	}
	converter.convert(set.usedVolumes())
	injector := node.Mapping(node.String("spec"), converter.made)
	if metadata := node.Get(config, "metadata"); metadata != nil {
		node.Set(injector, "metadata", metadata)
	}
	return Form{
		Injector:  injector,
		Positions: converter.positions,
		Kind:      SidecarSetKind,
		IsDecoded: true,
		Literal:   true,
	}
}

// sidecarSetConverter makes the spec of an injector from that of a SidecarSet, and notes where entries of lists were.
type sidecarSetConverter struct {
	spec, made *node.Node
	positions  schema.Positions
}

// convert makes the spec of an injector that does the same, given the names of the volumes that containers mount. It
// sets what a SidecarSet does differently by default: it replaces a container of the same name, keeps any volume of the
// same name, and makes no native sidecars. Like OpenKruise, it sorts init containers by their names, and leaves out
// volumes that no container of the SidecarSet mounts.
func (s sidecarSetConverter) convert(used map[string][]schema.Path) {
	for _, field := range []string{"selector", "namespaceSelector", "imagePullSecrets", "patchPodMetadata"} {
		if value := node.Get(s.spec, field); value != nil {
			node.Set(s.made, field, value)
		}
	}
	node.Set(s.made, "onConflict", mappingOf("container", v1alpha1.ContainerReplace))
	node.Set(node.Get(s.made, "onConflict"), "volume", node.String(string(v1alpha1.ConflictKeep)))
	if namespace := node.Text(s.spec, "namespace"); namespace != "" {
		include := node.Sequence(node.String(namespace))
		node.Set(s.made, "namespaces", node.Mapping(node.String("include"), include))
		s.positions[schema.InSpec("namespaces").Key("include").Index(0)] = schema.InSpec("namespace")
		node.Delete(s.made, "namespaceSelector")
	}
	if paused := node.Get(s.spec, "injectionStrategy", "paused"); paused != nil {
		node.Set(s.made, "paused", paused)
	}
	volumes := slices.Clone(node.List(s.spec, "volumes"))
	s.put("volumes", slices.DeleteFunc(volumes, func(volume *node.Node) bool {
		name := node.Text(volume, "name")
		return name != "" && used[name] == nil
	}))
	for at, container := range pod.Containers(s.spec) {
		if container.Kind == node.MappingNode { // otherwise it was reported
			convertContainer(container, at.List == pod.Init)
		}
	}
	s.put(pod.Main, node.List(s.spec, pod.Main))
	initContainers := slices.Clone(node.List(s.spec, pod.Init))
	slices.SortStableFunc(initContainers, func(a, b *node.Node) int {
		return strings.Compare(node.Text(a, "name"), node.Text(b, "name"))
	})
	s.put(pod.Init, initContainers)
}

// put puts entries of a list of the SidecarSet into that of the injector.
func (s sidecarSetConverter) put(list string, entries []*node.Node) {
	written := node.List(s.spec, list)
	for i, entry := range entries {
		s.positions[schema.InSpec(list).Index(i)] = schema.InSpec(list).Index(slices.Index(written, entry))
	}
	node.Set(s.made, list, node.Sequence(entries...))
}

// convertContainer gives a container the settings of an injector's.
func convertContainer(container *node.Node, isInit bool) {
	policy := v1alpha1.AfterAppContainer
	if !isInit {
		policy = v1alpha1.BeforeAppContainer
		node.Set(container, "mode", node.String(string(v1alpha1.ModeContainer)))
	}
	if node.Text(container, "podInjectPolicy") == "" {
		node.Set(container, "podInjectPolicy", node.String(string(policy)))
	}
	for _, field := range []string{"shareVolumePolicy", "shareVolumeDevicePolicy"} {
		isEnabled := node.Text(container, field, "type") == string(shareEnabled)
		node.Delete(container, field)
		if isEnabled {
			node.Set(container, field, mappingOf("type", v1alpha1.ShareEnabled))
		}
	}
	resources := node.Get(container, "resourcesPolicy")
	switch targetContainersMode(node.Text(resources, "targetContainersMode")) {
	case targetContainersSum:
		node.Set(resources, "targetContainersMode", node.String(string(v1alpha1.TargetContainersSum)))
	case targetContainersMax:
		node.Set(resources, "targetContainersMode", node.String(string(v1alpha1.TargetContainersMax)))
	}
	node.Delete(container, "upgradeStrategy")
}

// mappingOf returns a mapping of one key and its value.
func mappingOf[T ~string](key string, value T) *node.Node {
	return node.Mapping(node.String(key), node.String(string(value)))
}

// setContainer is a container of a SidecarSet, and where it is.
type setContainer struct {
	*sidecarSetContainer
	list string
	at   schema.Path
}

// containers returns the containers and then the init containers.
func (s *sidecarSet) containers() (all []setContainer) {
	for i := range s.Spec.Containers {
		all = append(all, setContainer{&s.Spec.Containers[i], pod.Main, schema.InSpec(pod.Main).Index(i)})
	}
	for i := range s.Spec.InitContainers {
		all = append(all, setContainer{&s.Spec.InitContainers[i], pod.Init, schema.InSpec(pod.Init).Index(i)})
	}
	return all
}

// usedVolumes maps the names of volumes to the paths of the mounts and devices of the SidecarSet's own containers.
func (s *sidecarSet) usedVolumes() map[string][]schema.Path {
	used := map[string][]schema.Path{}
	for _, c := range s.containers() {
		for i, mount := range c.VolumeMounts {
			used[mount.Name] = append(used[mount.Name], c.at.Key("volumeMounts").Index(i))
		}
		for i, device := range c.VolumeDevices {
			used[device.Name] = append(used[device.Name], c.at.Key("volumeDevices").Index(i))
		}
	}
	return used
}
