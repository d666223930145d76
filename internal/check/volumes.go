package check

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
)

// mounts are the two lists by which a container uses volumes, and what the place is called.
var mounts = []struct{ list, place, word string }{
	{"volumeMounts", "mountPath", "mount path"},
	{"volumeDevices", "devicePath", "device path"},
}

// mountedVolumes are there, whoever mounts them.
func (p *pod) mountedVolumes() {
	have := make(map[string]bool, len(p.volumes)+len(p.claims))
	for _, volume := range p.volumes {
		have[node.Text(volume, "name")] = true
	}
	for _, claim := range p.claims {
		have[claim] = true
	}
	for _, c := range p.containers {
		for _, m := range mounts {
			for i, mount := range node.List(c.Node, m.list) {
				if volume := node.Text(mount, "name"); !have[volume] {
					p.wrong(finding.DanglingMount, c.name+" "+volume, c.path+"."+m.list+"["+strconv.Itoa(i)+"].name",
						"container %q mounts volume %q, which neither the pod nor the injector has; add it to spec.volumes", c.name, volume)
				}
			}
		}
	}
}

// mountPaths come once in a container, over mounts and devices.
func (p *pod) mountPaths(c container) {
	var taken map[string]bool
	for _, m := range mounts {
		for i, mount := range node.List(c.Node, m.list) {
			path := node.Text(mount, m.place)
			if taken[path] {
				p.wrong(finding.MountConflict, c.name+" "+path, c.path+"."+m.list+"["+strconv.Itoa(i)+"]."+m.place,
					"container %q uses the %s %q twice; change one of them", c.name, m.word, path)
			}
			if taken == nil {
				taken = map[string]bool{}
			}
			taken[path] = true
		}
	}
}

// source is the one that a volume has. None is an emptyDir, to Kubernetes.
func (p *pod) source(volume *yaml.Node, i int) {
	if len(volume.Content) <= 4 { // a name and one more
		return
	}
	sources := slices.DeleteFunc(node.Keys(volume), func(key string) bool {
		return key == "name" || node.IsNull(node.Get(volume, key))
	})
	if len(sources) > 1 {
		name := node.Text(volume, "name")
		p.wrong(finding.InvalidVolume, name, p.volumePath(i)+"."+sources[1],
			"volume %q has %s and %s, and a volume has one source; remove one", name, sources[0], sources[1])
	}
}
