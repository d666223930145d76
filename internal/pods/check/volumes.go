package check

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// mountedVolumes reports mounts and devices of volumes that do not exist.
func (p *checkedPod) mountedVolumes() {
	volumes := names{}
	volumes.addNames(p.volumes)
	for _, claim := range p.Claims {
		volumes.add(claim)
	}
	for _, c := range p.containers {
		if c.same && p.keepsVolumes {
			continue
		}
		for _, list := range pod.MountLists() {
			for i, mount := range node.List(c.Node, list.Name()) {
				if name := node.Text(mount, "name"); !volumes[name] {
					p.report(c, finding.DanglingMount, name, entry(list.Name(), i)+".name",
						"mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes", name)
				}
			}
		}
	}
}

// volumeSources reports volumes with two sources. A volume without a source is an emptyDir.
func (p *checkedPod) volumeSources() {
	for i, volume := range p.volumes {
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
func (p *checkedPod) volume(name string) *node.Node {
	if p.byName == nil {
		p.byName = make(map[string]*node.Node, len(p.volumes))
		for _, volume := range p.volumes {
			p.byName[node.Text(volume, "name")] = volume
		}
	}
	return p.byName[name]
}

// mountPaths reports paths that a container uses twice, over its mounts and devices.
func (p *checkedPod) mountPaths(c container) {
	taken := names{}
	for _, list := range pod.MountLists() {
		for i, mount := range node.List(c.Node, list.Name()) {
			path := node.Text(mount, list.Keys[0])
			if taken.add(path) {
				p.report(c, finding.MountConflict, path, entry(list.Name(), i)+"."+list.Keys[0],
					"uses the %s %q twice; change one of them", list.KeyNoun(), path)
			}
		}
	}
}

// mountRules reports fields of a mount that exclude each other, and volumes that are a mount and a device of one
// container.
func (p *checkedPod) mountRules(c container) {
	devices := names{}
	devices.addNames(node.List(c.Node, "volumeDevices"))
	for i, mount := range node.List(c.Node, "volumeMounts") {
		path, propagation := node.Text(mount, "mountPath"), node.Text(mount, "mountPropagation")
		report := func(code finding.Code, field, format string, args ...any) {
			p.report(c, code, path+" "+field, entry("volumeMounts", i)+"."+field, "mounts %q "+format, append([]any{path}, args...)...)
		}
		if volume := node.Text(mount, "name"); devices[volume] {
			report(finding.MountConflict, "name", "from volume %q, which is a device of it, too; keep one of them", volume)
		}
		if propagation == "Bidirectional" && !node.IsTrue(c.Node, "securityContext", "privileged") {
			report(finding.InvalidMount, "mountPropagation",
				"with Bidirectional propagation, which is for privileged containers only; write HostToContainer or None, or make it privileged")
		}
		if field, rule := badSubPath(mount); field != "" {
			report(finding.InvalidMount, field, "with a %s that must be %s; correct it", field, rule)
		}
		if node.Text(mount, "subPath") != "" && node.Text(mount, "subPathExpr") != "" {
			report(finding.InvalidMount, "subPathExpr", "with a subPath and a subPathExpr; keep one of them")
		}
		if mode := node.Text(mount, "recursiveReadOnly"); mode == "Enabled" || mode == "IfPossible" {
			if !node.IsTrue(mount, "readOnly") || propagation != "" && propagation != "None" {
				report(finding.InvalidMount, "recursiveReadOnly",
					"with recursiveReadOnly, which is for mounts that are readOnly and propagate nothing; correct one of them")
			}
		}
	}
}

// badSubPath returns a field of a mount that leads out of the volume, and the rule that it breaks.
func badSubPath(mount *node.Node) (field, rule string) {
	for _, field := range []string{"subPath", "subPathExpr"} {
		switch path := node.Text(mount, field); {
		case strings.HasPrefix(path, "/"):
			return field, "a relative path"
		case stepsBack(path):
			return field, `without ".."`
		}
	}
	return "", ""
}

func stepsBack(path string) bool {
	return strings.Contains(path, "..") && slices.Contains(strings.Split(path, "/"), "..")
}

// deviceRules reports volumes that are a device twice, and device paths with steps back.
func (p *checkedPod) deviceRules(c container) {
	devices := node.List(c.Node, "volumeDevices")
	for i, volume := range repeats(devices, "name") {
		p.report(c, finding.MountConflict, "device "+volume, entry("volumeDevices", i)+".name",
			"has volume %q as a device twice; keep one of them", volume)
	}
	for i, device := range devices {
		if path := node.Text(device, "devicePath"); stepsBack(path) {
			p.report(c, finding.InvalidMount, "device "+path, entry("volumeDevices", i)+".devicePath",
				`has the device path %q, which must be without ".."; correct it`, path)
		}
	}
}
