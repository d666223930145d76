package apirules

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// mountedVolumes reports mounts and devices of volumes that do not exist.
func (p *checkedPod) mountedVolumes() {
	var volumes nameSet
	volumes.addNames(p.volumes)
	for _, claim := range p.Claims {
		volumes.add(claim)
	}
	for _, c := range p.containers {
		if c.same && p.sameVolumes {
			continue
		}
		for _, list := range pod.MountLists() {
			for i, mount := range node.List(c.Node, list.Name()) {
				if name := node.Text(mount, "name"); !volumes.has(name) {
					p.report(c, finding.DanglingMount, name, entry(list.Name(), i)+".name",
						"mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes", name)
				}
			}
		}
	}
}

// volumeSources reports volumes with two sources. A volume without a source is an emptyDir.
func (p *checkedPod) volumeSources() {
	for i := p.front; i < len(p.volumes)-p.back; i++ {
		volume := p.volumes[i]
		if len(volume.Content) <= 4 { // a name and a source
			continue
		}
		var sources []string
		for key, value := range node.Fields(volume) {
			if key != "name" && !node.IsNull(value) {
				sources = append(sources, key)
			}
		}
		if len(sources) > 1 {
			name := node.Text(volume, "name")
			p.add(finding.InvalidVolume, name, p.At("spec."+entry("volumes", i)+"."+sources[1]), fmt.Sprintf(
				"volume %q has %s and %s, and a volume has one source; remove one", name, sources[0], sources[1]))
		}
	}
}

// deviceVolumes reports devices of volumes that are not claims.
func (p *checkedPod) deviceVolumes() {
	for _, c := range p.containers {
		for i, device := range node.List(c.Node, "volumeDevices") {
			name := node.Text(device, "name")
			if volume := p.volume(name); volume != nil && !isSet(volume, "persistentVolumeClaim") && !isSet(volume, "ephemeral") {
				p.report(c, finding.InvalidVolume, "device "+name, entry("volumeDevices", i)+".name",
					"has volume %q as a device, which must be a persistentVolumeClaim or ephemeral; mount it, or change its source", name)
			}
		}
	}
}

// envVolumes reports variables that are read from a volume that does not exist, or is not an emptyDir.
func (p *checkedPod) envVolumes() {
	for _, c := range p.containers {
		for i, variable := range node.List(c.Node, "env") {
			name := node.Text(variable, "valueFrom", "fileKeyRef", "volumeName")
			if name == "" {
				continue
			}
			field := entry("env", i) + ".valueFrom.fileKeyRef.volumeName"
			switch volume := p.volume(name); {
			case volume == nil:
				p.report(c, finding.DanglingMount, "env "+name, field,
					"reads a variable from volume %q, which the pod does not have; add it to spec.volumes", name)
			case !isSet(volume, "emptyDir"):
				p.report(c, finding.InvalidVolume, "env "+name, field,
					"reads a variable from volume %q, which must be an emptyDir; use another", name)
			}
		}
	}
}

// volume returns the volume of a name, or nil.
func (p *checkedPod) volume(name string) *yaml.Node {
	if p.byName == nil {
		p.byName = make(map[string]*yaml.Node, len(p.volumes))
		for _, volume := range p.volumes {
			p.byName[node.Text(volume, "name")] = volume
		}
	}
	return p.byName[name]
}
