package apply

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// sharingRules decide which mounts, or devices, of a source work in the container that they are shared with.
type sharingRules struct {
	kind *pod.Row

	volumes      map[string]bool // of the pod
	otherwise    map[string]bool // volumes that the body uses in the other way: a volume is either mounted or a device
	devices      map[string]bool // volumes that are devices of the body, which can be one only once
	isPrivileged bool
}

func newSharingRules(r *recipient, kind *pod.Row) *sharingRules {
	other := mounts()
	if kind == mounts() {
		other = devices()
	}
	rules := &sharingRules{
		kind:         kind,
		volumes:      namesOf(r.pod.entries("volumes")),
		otherwise:    namesOf(node.List(r.body, other.Name())),
		devices:      namesOf(node.List(r.body, devices().Name())),
		isPrivileged: node.IsTrue(r.body, "securityContext", "privileged"),
	}
	for _, claim := range r.pod.ClaimTemplates {
		rules.volumes[claim] = true
	}
	return rules
}

// admit returns why an entry would not work in the body, or "" if it does.
func (r *sharingRules) admit(entry *yaml.Node) string {
	volume := node.Text(entry, "name")
	switch {
	case !r.volumes[volume]:
		return "the pod has no volume \"" + volume + "\""
	case r.otherwise[volume] && r.kind == mounts():
		return "this one has volume \"" + volume + "\" as a device, and a container does not mount its devices"
	case r.otherwise[volume]:
		return "this one mounts volume \"" + volume + "\", and a container does not mount its devices"
	case r.kind == devices() && r.devices[volume]:
		return "this one has volume \"" + volume + "\" as a device at another path already"
	case r.kind == mounts() && node.Text(entry, "mountPropagation") == "Bidirectional" && !r.isPrivileged:
		return "its mountPropagation is Bidirectional, which Kubernetes allows in privileged containers only; " +
			"make this one privileged, or exclude the path"
	case r.kind == mounts() && node.Text(entry, "subPathExpr") != "":
		return "its subPathExpr depends on the variables of that container; declare the mount and its variables in this one, " +
			"or exclude the path"
	case r.kind == devices():
		r.devices[volume] = true
	}
	return ""
}

func namesOf(entries []*yaml.Node) map[string]bool {
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[node.Text(entry, "name")] = true
	}
	return names
}
