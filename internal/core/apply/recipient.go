package apply

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// recipient is a container of the payload that gets something from the app's containers. Only its body changes.
type recipient struct {
	pod  *Pod
	name string
	body *node.Node
	list string // that the container goes into
}

// takeFromApp returns a container's body with what it gets from the app's containers: variables, mounts, devices and
// resources.
func takeFromApp(pod *Pod, op injector.Operation) *node.Node {
	c := op.Container
	if c.ShareVolumePolicy == nil && c.ShareVolumeDevicePolicy == nil && len(c.TransferEnv) == 0 && c.Resources == nil {
		return op.Value
	}
	r := &recipient{pod: pod, name: op.Key, body: node.Fresh(op.Value), list: op.Row.Name()}
	r.transferEnv(c.TransferEnv)
	r.share(mounts(), c.ShareVolumePolicy)
	r.share(devices(), c.ShareVolumeDevicePolicy)
	r.computeResources(c.Resources)
	return r.body
}

func (r *recipient) report(severity finding.Severity, code finding.Code, format string, args ...any) {
	r.pod.Room.Charge(meter.PerFinding)
	r.pod.report(severity, code, r.pod.At("spec."+r.list), format, args...)
}

// source is a container that something is taken from.
type source struct {
	list, name string
	body       *node.Node // as the app has it, or as an injector of the run has put it in
	seen       *node.Node // the app's, with what others have added to it
	isApps     bool
}

// source returns a container of the app as the app has it, or one that an injector of the run has put in before; nil if
// there is none. So other injectors make no difference, whether they run before or after.
func (r *recipient) source(name string) *source {
	for _, list := range []string{containers, initContainers} {
		seen := entryOf(node.List(r.pod.Before, "spec", list), name)
		if app := r.pod.appContainer(list, name); app != nil {
			return &source{list: list, name: name, body: app, seen: seen, isApps: true}
		}
		if own := entryOf(r.pod.entries(list), name); own != nil {
			seen = own
		}
		if seen != nil && r.pod.isOfRun(stamp.InSpec(list, name)) {
			return &source{list: list, name: name, body: seen}
		}
	}
	return nil
}

// path returns the path of a list of the container.
func (s *source) path(list string) string { return stamp.InSpec(s.list, s.name).Child(list).Inside() }

// entryOf returns the entry of a name, or nil.
func entryOf(entries []*node.Node, name string) *node.Node {
	if index := indexOfName(entries, name); index >= 0 {
		return entries[index]
	}
	return nil
}

// entries returns the entries of a list of a container that are the app's, and those that injectors of the run have put
// in, if they are to be included.
func (r *recipient) entries(s *source, list string, includes func(entry *node.Node) bool) []*node.Node {
	if !s.isApps {
		return node.List(s.body, list)
	}
	path := s.path(list)
	addressOf := func(entry *node.Node) stamp.Address {
		return stamp.Address{Path: path, Key: stamp.KeyOf(path, entry)}
	}
	all := slices.Clone(node.List(s.body, list))
	isKnown := map[stamp.Address]bool{}
	for _, entry := range all {
		isKnown[addressOf(entry)] = true
	}
	for _, entry := range r.added(s, list) {
		if at := addressOf(entry); !isKnown[at] && includes(entry) && r.pod.isOfRun(at) {
			isKnown[at] = true
			all = append(all, entry)
		}
	}
	return all
}

// added returns the entries of a list of the container that injectors have added: this one, and then others, beside the
// app's.
func (r *recipient) added(s *source, list string) []*node.Node {
	if !s.isApps {
		return node.List(s.body, list)
	}
	return append(slices.Clip(r.pod.wantedIn(s.path(list))), node.List(s.seen, list)...)
}

// setEntries sets a list of the body.
func (r *recipient) setEntries(list string, entries []*node.Node) {
	if r.pod.Room.Take(node.Weight(node.Sequence(entries...))) {
		node.Set(r.body, list, node.Sequence(entries...))
	}
}
