package transformers

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// sharingRules decide which mounts, or devices, work in a container that they are shared with.
type sharingRules struct {
	*fromApp
	shareable

	volumes    map[string]bool // of the pod
	otherwise  map[string]bool // the volumes that the body uses in the other way: a volume is mounted or a device
	used       map[string]bool // the volumes that are devices of the body: each is one once
	privileged bool

	source    *yaml.Node
	variables *variableCopier // the source's; nil until it is needed
}

func (t *fromApp) sharingRules(s shareable) *sharingRules {
	other := mounts
	if s == mounts {
		other = devices
	}
	r := &sharingRules{
		fromApp: t, shareable: s,
		volumes:    namesOf(t.pod.entries("volumes")),
		otherwise:  namesOf(node.List(t.body, other.list)),
		used:       namesOf(node.List(t.body, devices.list)),
		privileged: node.IsTrue(t.body, "securityContext", "privileged"),
	}
	for _, claim := range t.pod.ClaimTemplates {
		r.volumes[claim] = true
	}
	return r
}

// from sets the container whose entries are looked at next.
func (r *sharingRules) from(source *yaml.Node) { r.source, r.variables = source, nil }

// unfit says why an entry would not work in the body; nothing where it does, and then the
// variables that it needs are there.
func (r *sharingRules) unfit(entry *yaml.Node) string {
	volume := node.Text(entry, "name")
	switch {
	case !r.volumes[volume]:
		return "the pod has no volume \"" + volume + "\""
	case r.otherwise[volume] && r.shareable == mounts:
		return "this one has volume \"" + volume + "\" as a device, and a container does not mount its devices"
	case r.otherwise[volume]:
		return "this one mounts volume \"" + volume + "\", and a container does not mount its devices"
	case r.shareable == devices && r.used[volume]:
		return "this one has volume \"" + volume + "\" as a device at another path already"
	case r.shareable == mounts && node.Text(entry, "mountPropagation") == "Bidirectional" && !r.privileged:
		return "its mountPropagation is Bidirectional, which Kubernetes allows in privileged containers only; " +
			"make this one privileged, or exclude the path"
	case r.shareable == devices:
		r.used[volume] = true
		return ""
	}
	return r.otherPath(entry)
}

// otherPath says why a subPathExpr would lead to another directory in the body; nothing where it does not.
func (r *sharingRules) otherPath(entry *yaml.Node) string {
	expr := node.Text(entry, "subPathExpr")
	if expr == "" || r.shareable != mounts {
		return ""
	}
	if r.variables == nil {
		r.variables = r.newVariableCopier(r.source)
	}
	return r.variables.carry(expr)
}

func namesOf(entries []*yaml.Node) map[string]bool {
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		names[node.Text(entry, "name")] = true
	}
	return names
}
