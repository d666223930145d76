package apply

import (
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

func mounts() *pod.Row  { return pod.InContainer("volumeMounts") }
func devices() *pod.Row { return pod.InContainer("volumeDevices") }

// share adds the mounts, or devices, of the app's containers to the body, behind its own. Each path is added once, and not if the
// body has it.
func (r *recipient) share(kind *pod.Row, policy *v1alpha1.ShareVolumePolicy) {
	if policy == nil || policy.Type != v1alpha1.ShareEnabled {
		return
	}
	taken := map[string]bool{}
	for _, list := range pod.MountLists() { // no path can be both
		for _, entry := range node.List(r.body, list.Name()) {
			taken[path.Clean(node.Text(entry, list.Keys[0]))] = true
		}
	}
	for _, excluded := range policy.ExcludePaths {
		taken[path.Clean(excluded)] = true
	}
	entries := node.List(r.body, kind.Name())
	shared := map[string]*yaml.Node{}
	rules := newSharingRules(r, kind)
	for _, source := range r.shareSources(kind, policy) {
		for _, entry := range r.entries(source, kind.Name(), func(*yaml.Node) bool { return policy.IncludeInjected }) {
			if !r.pod.Room.Charge(meter.PerShared) || r.pod.Room.IsFull() {
				return
			}
			at := path.Clean(node.Text(entry, kind.Keys[0]))
			first := shared[at]
			switch {
			case node.Text(entry, kind.Keys[0]) == "" || taken[at] || !r.mayShare(entry, policy):
			case first != nil && !node.Equal(first, entry):
				r.reportNotShared(finding.Info, kind, source, entry, "another container has something else at that path, and came first")
			case first == nil:
				if why := rules.admit(entry); why != "" {
					r.reportNotShared(finding.Warning, kind, source, entry, why)
					continue
				}
				shared[at] = copyOf(entry)
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
	all := slices.Clone(r.pod.entries(containers))
	if len(policy.Containers) > 0 {
		all = append(all, r.pod.entries(initContainers)...)
	}
	r.pod.Room.Charge(len(all) * (1 + len(policy.Containers)) * meter.PerValue)
	var sources []*source
	found := map[string]bool{}
	for _, c := range all {
		name := node.Text(c, "name")
		if found[name] || len(policy.Containers) > 0 && !slices.Contains(policy.Containers, name) {
			continue
		}
		if s := r.source(name); s != nil && (s.isApps || policy.IncludeInjected) {
			sources, found[name] = append(sources, s), true
		}
	}
	for _, name := range policy.Containers {
		if !found[name] {
			r.report(finding.Info, finding.MountNotShared,
				"container %q shares no %ss with container %q, because the app has none of that name", r.name, kind.Noun, name)
		}
	}
	return sources
}

// mayShare reports whether the volume of an entry is the app's, or of an injector of the run before, if the policy includes those.
func (r *recipient) mayShare(entry *yaml.Node, policy *v1alpha1.ShareVolumePolicy) bool {
	volume := node.Text(entry, "name")
	return !r.pod.isOthersVolume(volume) || policy.IncludeInjected && r.pod.isOfRun(thingIn("volumes", volume))
}

func (r *recipient) reportNotShared(severity finding.Severity, kind *pod.Row, source *source, entry *yaml.Node, why string) {
	r.report(severity, finding.MountNotShared, "the %s %s of container %q is not shared with container %q: %s",
		kind.Noun, node.Text(entry, kind.Keys[0]), source.name, r.name, why)
}
