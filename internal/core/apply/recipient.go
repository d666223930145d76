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
	body       *node.Node   // as the app has it, or as an injector of the run has put it in
	versions   []*node.Node // with what this injector has added to it, and with what others have added
	isApps     bool
}

// source returns a container of the app as the app has it, or one that an injector of the run has put in before; nil if
// there is none. So other injectors make no difference, whether they run before or after.
func (r *recipient) source(name string) *source {
	for _, list := range []string{containers, initContainers} {
		versions := r.pod.versionsOf(list, name)
		if app := r.pod.appContainer(list, name); app != nil {
			return &source{list, name, app, versions, true}
		}
		if len(versions) > 0 && r.pod.isOfRun(stamp.InSpec(list, name)) {
			return &source{list, name, versions[0], versions[:1], false}
		}
	}
	return nil
}

// entries returns the entries of a list of a container that are the app's, and those that injectors of the run have put
// in, if they are to be included.
func (r *recipient) entries(s *source, list string, includes func(entry *node.Node) bool) []*node.Node {
	if !s.isApps {
		return node.List(s.body, list)
	}
	path := stamp.InSpec(s.list, s.name).Child(list).Inside()
	addressOf := func(entry *node.Node) stamp.Address {
		return stamp.Address{Path: path, Key: stamp.KeyOf(path, entry)}
	}
	all := slices.Clone(node.List(s.body, list))
	isKnown := map[stamp.Address]bool{}
	for _, entry := range all {
		isKnown[addressOf(entry)] = true
	}
	for _, entry := range s.all(list) {
		if at := addressOf(entry); !isKnown[at] && includes(entry) && r.pod.isOfRun(at) {
			isKnown[at] = true
			all = append(all, entry)
		}
	}
	return all
}

// all returns the entries of a list of the container, with those that injectors have added.
func (s *source) all(list string) []*node.Node {
	var all []*node.Node
	for _, version := range s.versions {
		all = append(all, node.List(version, list)...)
	}
	return all
}

// versionsOf returns a container of one of the pod spec's lists as it is with what this injector has added, and as
// others left it.
func (p *Pod) versionsOf(list, name string) []*node.Node {
	var all []*node.Node
	if entries := p.entries(list); indexOfName(entries, name) >= 0 {
		all = append(all, entries[indexOfName(entries, name)])
	}
	if entries := node.List(p.Before, "spec", list); p.hasOthers() && indexOfName(entries, name) >= 0 {
		all = append(all, entries[indexOfName(entries, name)])
	}
	return all
}

// setEntries sets a list of the body.
func (r *recipient) setEntries(list string, entries []*node.Node) {
	if r.pod.Room.Take(node.Weight(node.Sequence(entries...))) {
		node.Set(r.body, list, node.Sequence(entries...))
	}
}
