package engine

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

const volumesPath = "spec/volumes"

// sayDangling tells of volumes that go with an injector, though a container that stays mounts them.
// They go all the same: the app may have counted on them before they were injected, and removing
// gives back what was there.
func (p *pod) sayDangling() {
	version := p.candidate.Template.In(p.work.changed)
	view, mountedBy := stamp.NewView(version.Node), users(version)
	for _, claim := range podtemplate.ClaimTemplates(p.work.original) {
		delete(mountedBy, claim)
	}
	for _, owner := range p.plan.undo {
		for _, volume := range sortedKeys(owner.Added[volumesPath]) {
			if by := mountedBy[volume]; by != "" && view.At(volumesPath, volume) == nil {
				p.work.say(Finding{
					Severity: Warning, Code: finding.DanglingMount, Injector: p.injectorOf(owner.Key).Name, Field: specOf(p.candidate),
					Message: fmt.Sprintf("container %q mounts volume %q, which goes with the injector; take the mount out, or give the pod a volume of that name", by, volume),
				})
			}
		}
	}
}

// users are the first containers that use volumes, by the volumes' names.
func users(template podtemplate.Template) map[string]string {
	first := map[string]string{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, container := range node.List(template.Spec(), list) {
			for _, mounts := range []string{"volumeMounts", "volumeDevices"} {
				for _, mount := range node.List(container, mounts) {
					if volume := node.Text(mount, "name"); first[volume] == "" {
						first[volume] = node.Text(container, "name")
					}
				}
			}
		}
	}
	return first
}
