package check

import (
	"slices"
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// mounts are the two lists by which a container uses volumes, and what the place is called.
var mounts = []struct{ list, place, word string }{
	{"volumeMounts", "mountPath", "mount path"},
	{"volumeDevices", "devicePath", "device path"},
}

// mountedVolumes are there, whoever mounts them.
func (p *pod) mountedVolumes() {
	var have names
	for _, volume := range p.volumes {
		have.add(node.Text(volume, "name"))
	}
	for _, claim := range p.Claims {
		have.add(claim)
	}
	for _, c := range p.containers {
		for _, m := range mounts {
			for i, mount := range node.List(c.Node, m.list) {
				if volume := node.Text(mount, "name"); !have.has(volume) {
					p.wrong(finding.DanglingMount, c.name+" "+volume, p.path(c, m.list+"["+strconv.Itoa(i)+"].name"),
						"container %q mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes", c.name, volume)
				}
			}
		}
	}
}

// mountPaths come once in a container, over mounts and devices.
func (p *pod) mountPaths(c container) {
	var taken names
	for _, m := range mounts {
		for i, mount := range node.List(c.Node, m.list) {
			path := node.Text(mount, m.place)
			if _, again := taken.add(path); again {
				p.wrong(finding.MountConflict, c.name+" "+path, p.path(c, m.list+"["+strconv.Itoa(i)+"]."+m.place),
					"container %q uses the %s %q twice; change one of them", c.name, m.word, path)
			}
		}
	}
}

// source is the one that a volume has. None is an emptyDir, to Kubernetes.
func (p *pod) source(i int) {
	volume := p.volumes[i]
	if len(volume.Content) <= 4 { // a name and one more
		return
	}
	valueOf := node.Values(volume)
	sources := slices.DeleteFunc(node.Keys(volume), func(key string) bool {
		return key == "name" || node.IsNull(valueOf(key))
	})
	if len(sources) > 1 {
		name := node.Text(volume, "name")
		p.wrong(finding.InvalidVolume, name, p.volumePath(i)+"."+sources[1],
			"volume %q has %s and %s, and a volume has one source; remove one", name, sources[0], sources[1])
	}
}
