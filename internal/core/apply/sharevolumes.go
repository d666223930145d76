package apply

import (
	"fmt"
	"path"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

func mounts() *pod.Row  { return pod.InContainer("volumeMounts") }
func devices() *pod.Row { return pod.InContainer("volumeDevices") }

// share adds the mounts, or devices, of the app's containers to the body, behind its own. Each path is added once, and
// not if the body has it.
func (r *recipient) share(kind *pod.Row, policy *v1alpha1.ShareVolumePolicy) {
	if policy == nil || policy.Type != v1alpha1.ShareEnabled {
		return
	}
	taken := map[string]bool{}
	shared := map[string]*node.Node{}
	for _, list := range pod.MountLists() { // no path can be both
		for _, entry := range node.List(r.body, list.Name()) {
			taken[path.Clean(node.Text(entry, list.Keys[0]))] = true
		}
	}
	for _, excluded := range policy.ExcludePaths {
		taken[path.Clean(excluded)] = true
	}
	entries := node.List(r.body, kind.Name())
	volumes := r.usedVolumes()
	for _, source := range r.shareSources(kind, policy) {
		for _, entry := range r.entries(source, kind.Name(), func(*node.Node) bool { return policy.IncludeInjected }) {
			if !r.pod.Room.Charge(meter.PerShared) || r.pod.Room.IsFull() {
				return
			}
			at := path.Clean(node.Text(entry, kind.Keys[0]))
			notShared := func(severity finding.Severity, why string) {
				r.report(severity, finding.MountNotShared,
					"the %s %s of container %q is not shared with container %q: %s",
					kind.Noun, node.Text(entry, kind.Keys[0]), source.name, r.name, why)
			}
			switch first := shared[at]; {
			case node.Text(entry, kind.Keys[0]) == "" || taken[at] || !r.mayShare(entry, volumes, policy):
			case first != nil && !node.Equal(first, entry):
				notShared(finding.Info, "another container has something else at that path, and came first")
			case first == nil:
				if why := volumes.refuse(kind, entry); why != "" {
					notShared(finding.Warning, why)
					continue
				}
				shared[at] = node.Fresh(entry)
				entries = append(entries, shared[at])
			}
		}
	}
	if len(shared) > 0 {
		r.setEntries(kind.Name(), entries)
	}
}

// shareSources returns the containers whose entries are shared, in the pod's order.
func (r *recipient) shareSources(kind *pod.Row, policy *v1alpha1.ShareVolumePolicy) []*source {
	all := slices.Clone(r.pod.entriesOfAll(containers))
	if len(policy.Containers) > 0 {
		all = append(all, r.pod.entriesOfAll(initContainers)...)
	}
	each := meter.PerContainer + (len(policy.Containers)+len(all))*meter.PerValue
	if !r.pod.Room.Charge(len(all) * each) {
		return nil
	}
	var sources []*source
	found := map[string]bool{}
	for _, c := range all {
		name := node.Text(c, "name")
		if name == "" && len(policy.Containers) == 0 { // the app's, to which nothing is added
			sources = append(sources, &source{list: containers, body: c, seen: c, isApps: true})
			continue
		}
		if found[name] || len(policy.Containers) > 0 && !slices.Contains(policy.Containers, name) {
			continue
		}
		if s := r.source(name); s != nil && (s.isApps || policy.IncludeInjected) {
			sources = append(sources, s)
			found[name] = true
		}
	}
	for _, name := range policy.Containers {
		if !found[name] {
			r.report(finding.Info, finding.MountNotShared,
				"container %q shares no %ss with container %q, because the app has none of that name",
				r.name, kind.Noun, name)
		}
	}
	return sources
}

// mayShare reports whether the volume of an entry is the app's, or of an injector of the run before, if the policy
// includes those.
func (r *recipient) mayShare(entry *node.Node, volumes usedVolumes, policy *v1alpha1.ShareVolumePolicy) bool {
	volume := node.Text(entry, "name")
	isOthers := volumes.ofPod[volume] && !volumes.claims[volume] && r.pod.isInjected("volumes", volume)
	return !isOthers || policy.IncludeInjected && r.pod.isOfRun(stamp.InSpec("volumes", volume))
}

// usedVolumes are the volumes of a pod, and those that a container mounts and has as devices.
type usedVolumes struct {
	ofPod, claims   map[string]bool // those of a StatefulSet's claim templates apart
	mounts, devices map[string]bool
	isPrivileged    bool
}

func (r *recipient) usedVolumes() usedVolumes {
	volumes := r.pod.entriesOfAll("volumes")
	r.pod.Room.Charge((len(volumes) + len(r.pod.ClaimTemplates)) * meter.PerContainer)
	used := usedVolumes{
		ofPod:        namesOf(volumes),
		claims:       map[string]bool{},
		mounts:       namesOf(node.List(r.body, mounts().Name())),
		devices:      namesOf(node.List(r.body, devices().Name())),
		isPrivileged: node.IsTrue(r.body, "securityContext", "privileged"),
	}
	for _, claim := range r.pod.ClaimTemplates {
		used.claims[claim] = true
	}
	return used
}

// refuse returns why a mount or device would not work in the container, or "" if it does: then it counts as used.
func (u usedVolumes) refuse(kind *pod.Row, entry *node.Node) string {
	volume := node.Text(entry, "name")
	isMount := kind == mounts()
	switch {
	case !u.ofPod[volume] && !u.claims[volume]:
		return fmt.Sprintf("the pod has no volume %q", volume)
	case isMount && u.devices[volume]:
		return fmt.Sprintf("this one has volume %q as a device, and a container does not mount its devices", volume)
	case !isMount && u.mounts[volume]:
		return fmt.Sprintf("this one mounts volume %q, and a container does not mount its devices", volume)
	case !isMount && u.devices[volume]: // which it can be only once
		return fmt.Sprintf("this one has volume %q as a device at another path already", volume)
	case isMount && node.Text(entry, "mountPropagation") == "Bidirectional" && !u.isPrivileged:
		return "its mountPropagation is Bidirectional, which Kubernetes allows in privileged containers only; " +
			"make this one privileged, or exclude the path"
	case isMount && node.Text(entry, "subPathExpr") != "":
		return "its subPathExpr depends on the variables of that container; " +
			"declare the mount and its variables in this one, or exclude the path"
	case !isMount:
		u.devices[volume] = true
	}
	return ""
}
