package apirules

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// mountPaths reports paths that a container uses twice, over its mounts and devices.
func (p *checkedPod) mountPaths(c container) {
	var taken nameSet
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

// mountRules reports fields of a mount that exclude each other, and volumes that are a mount and a device of one container.
func (p *checkedPod) mountRules(c container) {
	var devices nameSet
	devices.addNames(node.List(c.Node, "volumeDevices"))
	for i, mount := range node.List(c.Node, "volumeMounts") {
		path, propagation := node.Text(mount, "mountPath"), node.Text(mount, "mountPropagation")
		report := func(code finding.Code, field, format string, args ...any) {
			p.report(c, code, path+" "+field, entry("volumeMounts", i)+"."+field, "mounts %q "+format, append([]any{path}, args...)...)
		}
		if volume := node.Text(mount, "name"); devices.has(volume) {
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
func badSubPath(mount *yaml.Node) (field, rule string) {
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
