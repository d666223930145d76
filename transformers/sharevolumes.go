package transformers

import (
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// shareable is a list of a container whose entries can be shared, by the path that they take.
type shareable struct{ list, key, what string }

var (
	mounts  = shareable{"volumeMounts", "mountPath", "mount"}
	devices = shareable{"volumeDevices", "devicePath", "device"}
)

// share gives the body the mounts, or devices, of the app's containers, behind its own. A path
// that the body has stands, and each is there once.
func (t *fromApp) share(s shareable, policy *v1alpha1.ShareVolumePolicy) {
	if policy == nil || policy.Type != v1alpha1.ShareEnabled {
		return
	}
	taken := map[string]bool{}
	for _, list := range []shareable{mounts, devices} { // no path can be both
		for _, entry := range node.List(t.body, list.list) {
			taken[path.Clean(node.Text(entry, list.key))] = true
		}
	}
	for _, excluded := range policy.ExcludePaths {
		taken[path.Clean(excluded)] = true
	}
	entries := node.List(t.body, s.list)
	shared := map[string]*yaml.Node{}
	rules := t.sharingRules(s)
	for _, source := range t.shareSources(s, policy) {
		rules.from(source)
		isOwn := t.ownEntries(source, s.list)
		for _, entry := range node.List(source, s.list) {
			at := path.Clean(node.Text(entry, s.key))
			first := shared[at]
			switch {
			case node.Text(entry, s.key) == "" || taken[at] || !t.mayShare(source, entry, policy, isOwn):
			case first != nil && !node.Equal(first, entry):
				t.notShared(finding.Info, s, source, entry, "another container has something else at that path, and came first")
			case first != nil:
				if why := rules.otherPath(entry); why != "" {
					t.notShared(finding.Warning, s, source, entry, why)
				}
			default:
				if why := rules.unfit(entry); why != "" {
					t.notShared(finding.Warning, s, source, entry, why)
					continue
				}
				shared[at] = copyOf(entry)
				entries = append(entries, shared[at])
			}
		}
	}
	if len(shared) > 0 {
		t.setEnv()
		t.setEntries(s.list, entries)
	}
}

// shareSources are the containers to share with, in the pod's order.
func (t *fromApp) shareSources(s shareable, policy *v1alpha1.ShareVolumePolicy) []*yaml.Node {
	all := t.pod.entries(containers)
	if len(policy.Containers) > 0 {
		all = append(all, t.pod.entries(initContainers)...)
	}
	sources := slices.DeleteFunc(all, func(c *yaml.Node) bool {
		name := node.Text(c, "name")
		if len(policy.Containers) > 0 && !slices.Contains(policy.Containers, name) {
			return true
		}
		if policy.IncludeInjected {
			return !isBefore(t.pod.Origins.containers, name, t.turn)
		}
		return !t.isApps(c)
	})
	for _, name := range policy.Containers {
		if indexOfName(sources, name) < 0 {
			t.report(finding.Info, finding.MountNotShared, "container %q shares no %ss with container %q, because the app has none of that name", t.name, s.what, name)
		}
	}
	return sources
}

// mayShare tells whether an entry and its volume are the app's, or wanted all the same.
func (t *fromApp) mayShare(source, entry *yaml.Node, policy *v1alpha1.ShareVolumePolicy, isOwn func(*yaml.Node) bool) bool {
	turn := 0
	if policy.IncludeInjected {
		turn = t.turn
	}
	volume := node.Text(entry, "name")
	if !isBefore(t.pod.Origins.volumes, volume, turn) && !t.ownVolume(volume) {
		return false
	}
	return !t.pod.Origins.adds(node.Text(source, "name"), entry, turn) || isOwn(entry)
}

func (t *fromApp) notShared(severity finding.Severity, s shareable, source, entry *yaml.Node, why string) {
	t.report(severity, finding.MountNotShared, "the %s %s of container %q is not shared with container %q: %s",
		s.what, node.Text(entry, s.key), node.Text(source, "name"), t.name, why)
}
