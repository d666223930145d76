package fn

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
)

const volumesPath = "spec/volumes"

// sayDangling tells of volumes that go with an injector, though a container that stays mounts them.
// They go all the same: the app may have counted on them before they were injected, and removing
// gives back what was there.
func (p *pod) sayDangling() {
	version := p.Template.In(p.changed)
	view := stamp.NewView(version.Node)
	for _, owner := range p.undo {
		for _, volume := range sortedKeys(owner.Added[volumesPath]) {
			if view.At(volumesPath, volume) != nil || slices.Contains(podtemplate.ClaimTemplates(p.original), volume) {
				continue
			}
			if by := mountedBy(version, volume); by != "" {
				p.say(Finding{
					Severity: Warning, Code: finding.DanglingMount, Injector: p.injectorOf(owner.Key).Name, Field: specOf(p.Candidate),
					Message: fmt.Sprintf("container %q mounts volume %q, which goes with the injector; take the mount out, or give the pod a volume of that name", by, volume),
				})
			}
		}
	}
}

// mountedBy is a container that uses a volume, or nothing.
func mountedBy(template podtemplate.Template, volume string) string {
	for _, list := range []string{"containers", "initContainers"} {
		for _, container := range node.List(template.Spec(), list) {
			for _, mounts := range []string{"volumeMounts", "volumeDevices"} {
				if slices.ContainsFunc(node.List(container, mounts), func(mount *yaml.Node) bool { return node.Text(mount, "name") == volume }) {
					return node.Text(container, "name")
				}
			}
		}
	}
	return ""
}
