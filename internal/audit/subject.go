package audit

import (
	"slices"
	"strings"
	"unique"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// subject is a pod under audit.
type subject struct {
	auditor   *Auditor
	pod       live.Object
	creator   live.Creator
	revision  string
	stamps    map[string]*stamp.Stamp
	manifest  []byte // that the pod may come from, without what injectors add
	injection *injection
	sides     *sides // nil until they are compared
}

// newSubject returns a pod, or a pod template as if it were one. Webhooks change pods only.
func (a *Auditor) newSubject(running live.Object, owner live.Creator, isTemplate bool) *subject {
	s := &subject{auditor: a, pod: running, creator: owner, revision: live.RevisionOf(running)}
	if at := malformed(running.Node); at != "" {
		s.injection = &injection{problem: "the pod cannot be read: " + at + " is not a mapping"}
		return s
	}
	s.stamps, _ = stamp.Read(running.Node) // without a valid stamp, the names of containers are used
	object, template := live.Manifest(changeable(running), s.creator, a.kinds)
	a.addLabels(object, template, owner)
	undoStamps(template, s.stamps, a.config.Injectors())
	hasStamp := func(in *injector.Injector) bool { return s.stamps[stamp.Key(in.Name)] != nil }
	removeInjected(template, slices.DeleteFunc(a.selecting(object), hasStamp))
	if !isTemplate {
		s.removeWebhooks(template)
	}
	text, err := manifest.JSON(object)
	if err != nil {
		s.injection = &injection{problem: "the pod cannot be read: " + err.Error()}
	}
	s.manifest = text
	return s
}

// malformed returns the path of a part of a pod that cannot be read, because it is no mapping, or "". Without it, the
// pod would look like one that no injector selects.
func malformed(running *node.Node) string {
	for _, path := range []string{"metadata", "metadata.labels", "metadata.annotations", "spec"} {
		if n := node.Get(running, strings.Split(path, ".")...); !node.IsNull(n) && n.Kind != node.MappingNode {
			return path
		}
	}
	return ""
}

// changeable returns a copy of a pod with the parts that its template has.
func changeable(running live.Object) live.Object {
	metadata := fieldsOf(node.Get(running.Node, "metadata"), "labels", "annotations")
	running.Node = fieldsOf(running.Node, "spec")
	node.SetFirst(running.Node, "metadata", metadata)
	return running
}

// fieldsOf returns a copy of some fields of a mapping, of those that it has.
func fieldsOf(m *node.Node, fields ...string) *node.Node {
	copied := node.Mapping()
	for _, field := range fields {
		if value := node.Get(m, field); value != nil {
			node.Set(copied, field, node.Fresh(value))
		}
	}
	return copied
}

// undoStamps removes what the stamps of injectors name from a template.
func undoStamps(template *node.Node, stamps map[string]*stamp.Stamp, injectors []*injector.Injector) {
	var owners, others []stamp.Owner
	for key, s := range stamps {
		isOurs := func(in *injector.Injector) bool { return stamp.Key(in.Name) == key }
		if slices.ContainsFunc(injectors, isOurs) {
			owners = append(owners, stamp.Owner{Key: key, Stamp: s})
		} else {
			others = append(others, stamp.Owner{Key: key, Stamp: s})
		}
	}
	version.Undo(template, owners, others, nil)
	if annotations := node.Get(template, "metadata", "annotations"); annotations != nil {
		for _, in := range injectors { // broken ones are left
			node.Delete(annotations, stamp.Key(in.Name))
		}
	}
}

// removeInjected removes from a template what has the names of the containers of injectors without a stamp, which
// select it, and what equals their other additions. If there is a stamp, what it does not name is the app's.
func removeInjected(template *node.Node, withoutStamp []*injector.Injector) {
	for _, in := range withoutStamp {
		if on := in.Spec.OnConflict.Container; on == v1alpha1.ContainerKeep || on == v1alpha1.ContainerMerge {
			continue // the app may have such a container
		}
		for _, list := range pod.ContainerLists {
			remove(node.Get(template, "spec"), list, in.Has)
		}
	}
	for _, in := range withoutStamp {
		removeUnstamped(template, in)
	}
	declared, mounted := map[string]bool{}, mountedVolumes(template)
	for _, in := range withoutStamp {
		for _, volume := range in.Volumes {
			declared[volume.Name] = true
		}
	}
	remove(node.Get(template, "spec"), "volumes", func(name string) bool { return declared[name] && !mounted[name] })
}

// remove removes the entries with some names from a list.
func remove(spec *node.Node, list string, isRemoved func(name string) bool) {
	node.DeleteEntries(spec, list, func(entry *node.Node) bool { return isRemoved(node.Text(entry, "name")) })
}

// mountedVolumes returns the names of the volumes that containers mount, or have as devices.
func mountedVolumes(template *node.Node) map[string]bool {
	mounted := map[string]bool{}
	for _, container := range pod.Containers(node.Get(template, "spec")) {
		for _, entry := range pod.Mounted(container) {
			mounted[node.Text(entry, "name")] = true
		}
	}
	return mounted
}

// rows returns the states of the pod under all injectors.
func (s *subject) rows() []Row {
	injectors := s.auditor.config.Injectors()
	rows := make([]Row, len(injectors))
	reason, message := live.Exempt(s.pod.Node)
	for i, in := range injectors {
		rows[i] = Row{
			Injector: in.Name, Namespace: interned(s.pod.Namespace), Pod: strings.Clone(s.pod.Name), Creator: s.creator.Interned(),
			Revision: interned(s.revision),
		}
		switch problem := s.injection.problem; {
		case reason != "": // even if the engine refuses it, as it does with mirror pods
			rows[i].set(Skipped, reason, message)
		case problem != "":
			rows[i].set(Refused, finding.InvalidItem, problem)
		default:
			s.audit(&rows[i], s.injection.outcomes[i])
		}
	}
	return rows
}

// audit gives a row the state of a pod that runs, under one injector.
func (s *subject) audit(row *Row, o *outcome.Outcome) {
	isStamped := node.Get(s.pod.Node, "metadata", "annotations", stamp.Key(o.Injector)) != nil // even if the stamp is broken
	message := messageOf(o.Findings)
	switch {
	case o.Decision == decision.Refused:
		row.set(Refused, o.Reason, message)
	case o.Decision == decision.Skipped && isStamped && !leavesInjected(o.Reason):
		row.set(Unexpected, o.Reason, message)
	case o.Decision == decision.Skipped:
		row.set(Skipped, o.Reason, message)
	default:
		s.compare(row, stamp.Key(o.Injector))
	}
	for _, f := range o.Findings {
		if f.Code == finding.ForeignStamp {
			row.Infos = append(row.Infos, Info{f.Code, strings.Clone(f.Message)})
		}
	}
}

// leavesInjected reports whether an injection leaves the sidecar of a pod that it skips for a reason: it is paused, is
// not rolled out, or cannot tell.
func leavesInjected(reason finding.Code) bool {
	switch reason {
	case finding.Paused, finding.NotRolledOut, finding.NamespaceLabelsUnknown, finding.NamespaceUnknown, finding.MarkerUnclear:
		return true
	default:
		return false
	}
}

// interned returns a text that many rows share, without the memory that it is part of.
func interned(text string) string { return unique.Make(text).Value() }
