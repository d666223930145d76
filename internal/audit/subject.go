package audit

import (
	"fmt"
	"slices"
	"strings"
	"unique"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/declared"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// subject is a pod under audit.
type subject struct {
	auditor  *Auditor
	pod      live.Object
	owner    live.Owner
	revision string
	stamps   map[string]*stamp.Stamp

	text    []byte // the manifest that the pod may come from, without what injectors add
	problem string // why there is none

	workload *outcome.Workload // what an injection into the manifest does
	injected []byte            // the injected manifest; nil if nothing changes
}

func (a *Auditor) newSubject(pod live.Object) *subject {
	s := &subject{auditor: a, pod: pod, owner: a.owners.Of(pod), revision: live.RevisionOf(pod)}
	s.stamps, _ = stamp.Read(pod.Node) // without a valid stamp, names tell
	copied := pod
	copied.Node = node.Mapping()
	for _, field := range []string{"metadata", "spec"} {
		if value := node.Get(pod.Node, field); value != nil {
			node.Set(copied.Node, field, node.Copy(value))
		}
	}
	object, template := live.Manifest(copied, s.owner, a.kinds)
	removeInjected(template, s.stamps, a.config.Injectors())
	text, err := encode(object)
	if err != nil {
		s.problem = "the pod cannot be read: " + err.Error()
	}
	s.text = text
	return s
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
	if s.problem == "" && len(s.workload.Outcomes) == 0 {
		s.problem = messageOf(s.workload.General)
	}
	arena := new(parse.Arena)
	wanted, err := s.wanted(arena)
	if err != nil {
		s.problem = "the injected pod cannot be read: " + err.Error()
	}
	injectors := s.auditor.config.Injectors()
	rows := make([]Row, len(injectors))
	for i, in := range injectors {
		rows[i] = Row{
			Injector: in.Name, Namespace: interned(s.pod.Namespace), Pod: strings.Clone(s.pod.Name), Owner: s.owner.Interned(),
			Revision: interned(s.revision),
		}
		if s.problem != "" {
			rows[i].State, rows[i].Reason, rows[i].Message = Refused, finding.InvalidItem, s.problem
		} else {
			s.audit(&rows[i], s.workload.Outcomes[i], wanted)
		}
	}
	return rows
}

// wanted returns the pod template of the injected manifest, or nil if nothing changes.
func (s *subject) wanted(arena *parse.Arena) (*yaml.Node, error) {
	if s.injected == nil {
		return nil, nil
	}
	document, err := arena.Document(s.injected)
	if err != nil {
		return nil, err
	}
	object := document.Content[0]
	kind, _ := s.auditor.kinds.Find(node.Text(object, "apiVersion"), node.Text(object, "kind"))
	return kind.Templates(object)[0].Node, nil
}

// audit gives a row the state of the pod under one injector.
func (s *subject) audit(row *Row, o *outcome.Outcome, wanted *yaml.Node) {
	condition := live.ConditionOf(s.pod.Node)
	_, isStamped := s.stamps[stamp.Key(o.Injector)]
	switch {
	case condition != live.Runs:
		row.State, row.Reason = Skipped, finding.Code(condition)
	case o.Decision == outcome.Refused:
		row.State, row.Reason, row.Message = Refused, o.Reason, messageOf(o.Findings)
	case o.Decision == outcome.Skipped && isStamped:
		row.State, row.Reason, row.Message = Unexpected, o.Reason, messageOf(o.Findings)
	case o.Decision == outcome.Skipped:
		row.State, row.Reason, row.Message = Skipped, o.Reason, messageOf(o.Findings)
	default:
		row.State, row.Fields = s.compare(stamp.Key(o.Injector), wanted)
	}
}

func messageOf(findings []finding.Finding) string {
	for _, f := range findings {
		return strings.Clone(f.Message)
	}
	return ""
}

// compare compares what a stamp says was added to the wanted template with the pod.
func (s *subject) compare(key string, wanted *yaml.Node) (State, []Field) {
	stamps, _ := stamp.Read(wanted)
	if stamps[key] == nil { // nothing is declared that the pod does not have
		return Current, nil
	}
	var fields []Field
	var all, sidecars tally
	want, is := stamp.NewView(wanted), stamp.NewView(s.pod.Node)
	for _, thing := range stamps[key].Things() {
		if thing.Path == "metadata/annotations" && thing.Key == defaultContainer {
			continue
		}
		declaredHere, found := want.At(thing.Path, thing.Key), is.At(thing.Path, thing.Key)
		differences := declared.InPod(declaredHere, found, append(strings.Split(thing.Path, "/"), thing.Key)...)
		for _, d := range differences {
			fields = append(fields, Field{
				Path:     joined(want.FieldOf(thing, ""), d.Path),
				Declared: brief(d.Declared), Live: brief(d.Live), IsMissing: d.Live == nil,
			})
		}
		isMissing := found == nil && len(differences) > 0
		all.count(isMissing)
		if stamp.IsContainers(thing.Path) {
			sidecars.count(isMissing)
		}
	}
	switch {
	case len(fields) == 0:
		return Current, nil
	case sidecars.areMissing(), all.areMissing():
		return Missing, fields
	default:
		return Stale, fields
	}
}

// brief returns a node in words that share no memory with its text.
func brief(n *yaml.Node) string { return strings.Clone(node.Brief(n)) }

// interned returns a text that many rows share, without the memory that it is part of.
func interned(text string) string { return unique.Make(text).Value() }

// defaultContainer is an annotation that says which container is the app's. It does nothing.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// tally counts what is declared, and what of it is missing.
type tally struct{ declared, missing int }

func (t *tally) count(isMissing bool) {
	t.declared++
	if isMissing {
		t.missing++
	}
}

func (t *tally) areMissing() bool { return t.declared > 0 && t.missing == t.declared }

func joined(at, path string) string {
	if path == "" {
		return at
	}
	return fmt.Sprintf("%s.%s", at, path)
}
