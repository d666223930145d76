package audit

import (
	"slices"
	"strings"
	"unique"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// subject is a pod under audit.
type subject struct {
	auditor   *Auditor
	pod       live.Object
	owner     live.Owner
	revision  string
	stamps    map[string]*stamp.Stamp
	manifest  []byte // that the pod may come from, without what injectors add
	injection *injection
}

func (a *Auditor) newSubject(pod live.Object, owner live.Owner) *subject {
	s := &subject{auditor: a, pod: pod, owner: owner, revision: live.RevisionOf(pod)}
	s.stamps, _ = stamp.Read(pod.Node) // without a valid stamp, the names of containers are used
	object, template := live.Manifest(changeable(pod), s.owner, a.kinds)
	removeInjected(template, s.stamps, a.config.Injectors())
	text, err := encode(object)
	if err != nil {
		s.injection = &injection{problem: "the pod cannot be read: " + err.Error()}
	}
	s.manifest = text
	return s
}

// changeable returns a copy of a pod with the parts that its template has.
func changeable(pod live.Object) live.Object {
	metadata := node.Mapping()
	for _, field := range []string{"labels", "annotations"} {
		if value := node.Get(pod.Node, "metadata", field); value != nil {
			node.Set(metadata, field, node.Fresh(value))
		}
	}
	copied := node.Mapping(node.String("metadata"), metadata)
	if spec := node.Get(pod.Node, "spec"); spec != nil {
		node.Set(copied, "spec", node.Fresh(spec))
	}
	pod.Node = copied
	return pod
}

// removeInjected removes what the stamps of injectors name from a template, and what has the names of their containers without a stamp.
func removeInjected(template *yaml.Node, stamps map[string]*stamp.Stamp, injectors []*injector.Injector) {
	var owners, others []stamp.Owner
	for key, s := range stamps {
		isOurs := func(in *injector.Injector) bool { return stamp.Key(in.Name) == key }
		if slices.ContainsFunc(injectors, isOurs) {
			owners = append(owners, stamp.Owner{Key: key, Stamp: s})
		} else {
			others = append(others, stamp.Owner{Key: key, Stamp: s})
		}
	}
	stamp.Undo(template, owners, others)
	if annotations := node.Get(template, "metadata", "annotations"); annotations != nil {
		for _, in := range injectors { // broken ones are left
			node.Delete(annotations, stamp.Key(in.Name))
		}
	}
	for _, in := range injectors {
		if on := in.Spec.OnConflict.Container; on == v1alpha1.ContainerKeep || on == v1alpha1.ContainerMerge {
			continue // the app may have such a container
		}
		for _, list := range []string{"initContainers", "containers"} {
			remove(node.Get(template, "spec"), list, in.Has)
		}
	}
	for _, in := range injectors {
		isUnused := func(name string) bool {
			return slices.ContainsFunc(in.Volumes, func(v injector.Entry) bool { return v.Name == name }) && !isMounted(template, name)
		}
		remove(node.Get(template, "spec"), "volumes", isUnused)
	}
}

// remove removes the entries with some names from a list.
func remove(spec *yaml.Node, list string, isRemoved func(name string) bool) {
	entries := node.Get(spec, list)
	if entries == nil || entries.Kind != yaml.SequenceNode {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(entries.Content), func(entry *yaml.Node) bool { return isRemoved(node.Text(entry, "name")) })
	if len(kept) == 0 {
		node.Delete(spec, list)
	} else if len(kept) < len(entries.Content) {
		node.Set(spec, list, node.Sequence(kept...))
	}
}

func isMounted(template *yaml.Node, volume string) bool {
	for _, list := range []string{"initContainers", "containers"} {
		for _, container := range node.List(template, "spec", list) {
			if podtemplate.Mounts(container, volume) {
				return true
			}
		}
	}
	return false
}

// rows returns the states of the pod under all injectors.
func (s *subject) rows() []Row {
	injectors := s.auditor.config.Injectors()
	rows := make([]Row, len(injectors))
	reason, message := live.Exempt(s.pod.Node)
	for i, in := range injectors {
		rows[i] = Row{
			Injector: in.Name, Namespace: interned(s.pod.Namespace), Pod: strings.Clone(s.pod.Name), Owner: s.owner.Interned(),
			Revision: interned(s.revision),
		}
		switch problem := s.injection.problem; {
		case reason != "": // even if the engine refuses it, as it does with mirror pods
			rows[i].State, rows[i].Reason, rows[i].Message = Skipped, reason, message
		case problem != "":
			rows[i].State, rows[i].Reason, rows[i].Message = Refused, finding.InvalidItem, problem
		default:
			s.audit(&rows[i], s.injection.outcomes[i])
		}
	}
	return rows
}

// audit gives a row the state of a pod that runs, under one injector.
func (s *subject) audit(row *Row, o *outcome.Outcome) {
	_, isStamped := s.stamps[stamp.Key(o.Injector)]
	switch {
	case o.Decision == outcome.Refused:
		row.State, row.Reason, row.Message = Refused, o.Reason, strings.Clone(messageOf(o.Findings))
	case o.Decision == outcome.Skipped && isStamped:
		row.State, row.Reason, row.Message = Unexpected, o.Reason, strings.Clone(messageOf(o.Findings))
	case o.Decision == outcome.Skipped:
		row.State, row.Reason, row.Message = Skipped, o.Reason, strings.Clone(messageOf(o.Findings))
	default:
		s.compare(row, stamp.Key(o.Injector))
	}
}

// interned returns a text that many rows share, without the memory that it is part of.
func interned(text string) string { return unique.Make(text).Value() }
