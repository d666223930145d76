package check

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// mountRules checks the fields of each mount, and that no mounted volume is a device of the container as well.
func (p *pod) mountRules(c container) {
	var devices names
	for _, device := range node.List(c.Node, "volumeDevices") {
		devices.add(node.Text(device, "name"))
	}
	for i, mount := range node.List(c.Node, "volumeMounts") {
		wrong := func(code finding.Code, field, format string, args ...any) {
			place := node.Text(mount, "mountPath")
			p.wrong(code, c.name+" "+place+" "+field, p.path(c, "volumeMounts["+strconv.Itoa(i)+"]."+field),
				"container %q mounts %q "+format, append([]any{c.name, place}, args...)...)
		}
		if volume := node.Text(mount, "name"); devices.has(volume) {
			wrong(finding.MountConflict, "name", "from volume %q, which is a device of it, too; keep one of them", volume)
		}
		if node.Text(mount, "mountPropagation") == "Bidirectional" && !node.IsTrue(c.Node, "securityContext", "privileged") {
			wrong(finding.InvalidMount, "mountPropagation",
				"with Bidirectional propagation, which is for privileged containers only; write HostToContainer or None, or make it privileged")
		}
		if field, wants := pathField(mount); wants != "" {
			wrong(finding.InvalidMount, field, "with a %s that must be %s; correct it", field, wants)
		}
		if node.Text(mount, "subPath") != "" && node.Text(mount, "subPathExpr") != "" {
			wrong(finding.InvalidMount, "subPathExpr", "with a subPath and a subPathExpr; keep one of them")
		}
		if mode := node.Text(mount, "recursiveReadOnly"); mode == "Enabled" || mode == "IfPossible" {
			if propagation := node.Text(mount, "mountPropagation"); !node.IsTrue(mount, "readOnly") || propagation != "" && propagation != "None" {
				wrong(finding.InvalidMount, "recursiveReadOnly",
					"with recursiveReadOnly, which is for mounts that are readOnly and propagate nothing; correct one of them")
			}
		}
	}
}

// pathField names a field of a mount that leads out of the volume, and what it must be.
func pathField(mount *yaml.Node) (field, wants string) {
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

func stepsBack(path string) bool { return slices.Contains(strings.Split(path, "/"), "..") }

// deviceRules checks that a container has each volume as a device once, at a path without steps back.
func (p *pod) deviceRules(c container) {
	var devices names
	for i, device := range node.List(c.Node, "volumeDevices") {
		volume, path := node.Text(device, "name"), node.Text(device, "devicePath")
		at := p.path(c, "volumeDevices["+strconv.Itoa(i)+"]")
		if _, again := devices.add(volume); again {
			p.wrong(finding.MountConflict, c.name+" device "+volume, at+".name",
				"container %q has volume %q as a device twice; keep one of them", c.name, volume)
		}
		if stepsBack(path) {
			p.wrong(finding.InvalidMount, c.name+" device "+path, at+".devicePath",
				`container %q has the device path %q, which must be without ".."; correct it`, c.name, path)
		}
	}
}

// deviceVolumes checks that the volumes that are devices are claims.
func (p *pod) deviceVolumes() {
	for _, c := range p.containers {
		for i, device := range node.List(c.Node, "volumeDevices") {
			volume := p.volume(node.Text(device, "name"))
			if volume != nil && !set(volume, "persistentVolumeClaim") && !set(volume, "ephemeral") {
				p.wrong(finding.InvalidVolume, c.name+" device "+node.Text(device, "name"), p.path(c, "volumeDevices["+strconv.Itoa(i)+"].name"),
					"container %q has volume %q as a device, which must be a persistentVolumeClaim or ephemeral; mount it, or change its source",
					c.name, node.Text(device, "name"))
			}
		}
	}
}

// envVolumes checks that the volumes that variables are read from are there, and emptyDirs.
func (p *pod) envVolumes() {
	for _, c := range p.containers {
		if c.same && p.sameVolumes {
			continue
		}
		for i, variable := range node.List(c.Node, "env") {
			name := node.Text(variable, "valueFrom", "fileKeyRef", "volumeName")
			if name == "" {
				continue
			}
			at := p.path(c, "env["+strconv.Itoa(i)+"].valueFrom.fileKeyRef.volumeName")
			switch volume := p.volume(name); {
			case volume == nil:
				p.wrong(finding.DanglingMount, c.name+" env "+name, at,
					"container %q reads a variable from volume %q, which the pod does not have; add it to spec.volumes", c.name, name)
			case !set(volume, "emptyDir"):
				p.wrong(finding.InvalidVolume, c.name+" env "+name, at,
					"container %q reads a variable from volume %q, which must be an emptyDir; use another", c.name, name)
			}
		}
	}
}

// volume finds a volume of the pod by its name.
func (p *pod) volume(name string) *yaml.Node {
	if p.byName == nil {
		p.byName = make(map[string]*yaml.Node, len(p.volumes))
		for _, volume := range p.volumes {
			p.byName[node.Text(volume, "name")] = volume
		}
	}
	return p.byName[name]
}
