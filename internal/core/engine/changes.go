package engine

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// changeList collects what one injector after the other does to a pod template: the difference between its stamp in the
// file and its new one, as far as the pod template shows it.
type changeList struct {
	pod     *pod
	after   *stamp.View                // of the pod template in the result
	moved   map[stamp.Address]bool     // what has moved in lists
	addedBy map[stamp.Address][]string // the injectors by what they have added; nil until it is needed
	changes []decision.Change
}

// noteChanges adds what each injector did to the pod template to its outcome, given the result and what has moved in
// its lists, if anything was undone.
func (p *pod) noteChanges(rebased *node.Node, moved map[stamp.Address]bool) {
	l := changeList{pod: p, after: p.workload.newView(p.version().Node), moved: moved}
	isCurrent := rebased == p.template.Node // with the stamps in it
	for _, injection := range p.injections {
		old := p.stamps.stamps[injection.by.key]
		isAdopted := p.stamps.adopted[injection.by.key]
		if isCurrent && old != nil && !isAdopted {
			p.warnUnstamped(injection)
			continue
		}
		if isAdopted {
			for _, t := range old.Addresses() {
				l.add(decision.Adopts, t, "")
			}
		}
		if old == nil {
			l.listFirst(injection)
		} else {
			l.compare(injection.by, old, injection.stamp)
		}
		switch {
		case old != nil && !isAdopted:
			l.setBack(injection, old)
			l.updateStamp(injection, old)
			l.note(injection.by, decision.Updated)
			if injection.stamp.AddsContainers() && !old.AddsContainers() {
				p.workload.outcomes[injection.by.index].WasMissing = true
			}
		default:
			l.note(injection.by, decision.Injected)
		}
		p.warnUnstamped(injection)
	}
	for _, m := range p.todo.remove {
		if old := p.stamps.stamps[m.key]; old != nil {
			l.compare(m, old, &stamp.Stamp{})
		}
		if len(l.changes) == 0 {
			l.add(decision.Removes, annotationOf(m), "")
		}
		l.note(m, decision.Removed)
	}
}

// note moves the changes to the injector's outcome, which stays unchanged if there are none.
func (l *changeList) note(m *runInjector, made decision.Decision) {
	if len(l.changes) == 0 {
		return
	}
	o := &l.pod.workload.outcomes[m.index]
	o.Decision = outcome.Stronger(o.Decision, made)
	if o.Changes == nil {
		o.Changes = l.changes
	} else {
		o.Changes = append(o.Changes, l.changes...)
	}
	l.changes = nil
}

// listFirst lists what an injector does to a pod template that has nothing of it.
func (l *changeList) listFirst(injection injection) {
	now := injection.stamp
	all := now.Addresses()
	l.changes = slices.Grow(l.changes, len(all))
	for _, t := range all {
		switch {
		case l.isImplied(injection.by, now, &stamp.Stamp{}, t):
			continue
		case injection.shared[t]:
			l.addOthers(decision.Shares, t, l.otherOwners(injection.by, t))
		case now.Changes[t].Before != nil:
			l.add(decision.Replaces, t, "")
		default:
			l.add(decision.Adds, t, "")
		}
	}
}

// compare lists the differences between two stamps of an injector.
func (l *changeList) compare(m *runInjector, old, now *stamp.Stamp) {
	for _, t := range now.Addresses() {
		l.compareAdded(m, old, now, t)
	}
	for _, t := range old.Addresses() {
		if !now.Adds(t.Path, t.Key) && l.before(t) != nil && !l.isImplied(m, old, now, t) {
			l.takeOut(m, old, t)
		}
	}
	for _, t := range old.Originals() {
		if l.isRestored(old, now, t) && len(l.otherOwners(m, t)) == 0 {
			l.add(decision.Restores, t, "")
		}
	}
}

// compareAdded lists what becomes of something that an injector adds.
func (l *changeList) compareAdded(m *runInjector, old, now *stamp.Stamp, t stamp.Address) {
	is := now.Changes[t]
	was := old.Changes[t]
	if was.Hash == "" {
		if !l.isImplied(m, now, old, t) {
			l.add(decision.Adds, t, "")
		}
		return
	}
	if (was.Hash != is.Hash || l.hasOtherNames(t)) && l.addDifferences(decision.Updates, t) {
		return
	}
	if was.InFront != is.InFront || l.moved[t] {
		l.add(decision.Moves, t, "")
	}
}

// takeOut lists what becomes of something that an injector does not add any more.
func (l *changeList) takeOut(m *runInjector, old *stamp.Stamp, t stamp.Address) {
	if owners := l.otherOwners(m, t); len(owners) > 0 {
		l.addOthers(decision.Leaves, t, owners)
		return
	}
	// A container stays if the stamp may have been copied from another workload.
	isForeign := stamp.IsContainers(t.Path) && l.stays(t)
	if !isForeign && !l.isRestored(old, &stamp.Stamp{}, t) {
		l.add(decision.Removes, t, "")
	}
}

// isRestored reports whether the result has something of the app again that an injector had replaced or removed.
func (l *changeList) isRestored(old, now *stamp.Stamp, t stamp.Address) bool {
	is := l.after.At(t.Path, t.Key)
	return !now.Adds(t.Path, t.Key) && old.Changes[t].IsOriginal(is) && !node.Equal(l.before(t), is)
}

// setBack lists what a person changed and an injector sets back.
func (l *changeList) setBack(injection injection, old *stamp.Stamp) {
	for _, d := range l.pod.undone.Drifts {
		switch {
		case d.Owner != injection.by.key:
		case injection.by.injector.Spec.OnDrift != v1alpha1.DriftOverwrite:
		case injection.stamp.Changes[d.Address].Hash == old.Changes[d.Address].Hash: // otherwise it is updated
			l.addDifferences(decision.SetsBack, d.Address)
		}
	}
}

// updateStamp lists the change of a stamp, if nothing else changes or the stamp goes.
func (l *changeList) updateStamp(injection injection, old *stamp.Stamp) {
	isEmptied := len(l.changes) == 0 && injection.stamp.Empty() && !old.Empty()
	switch {
	case isEmptied:
		l.add(decision.Removes, annotationOf(injection.by), "")
	case len(l.changes) == 0 && old.String() != injection.stamp.String():
		l.add(decision.Updates, annotationOf(injection.by), "")
	}
}

func annotationOf(m *runInjector) stamp.Address {
	return stamp.Address{Path: "metadata/annotations", Key: m.key}
}

// isImplied reports whether it follows from another change that one stamp of an injector has a thing and another has
// not. If a variable comes or goes, so do the values that are joined to it. If other injectors have the variable too,
// or if it stays because a person has added something to it, only these values come or go.
func (l *changeList) isImplied(m *runInjector, has, hasNot *stamp.Stamp, t stamp.Address) bool {
	variable, _, isPart := stamp.JoinedVariable(t.Path)
	switch {
	case isPart:
		isNew := has.Adds(variable.Path, variable.Key) && !hasNot.Adds(variable.Path, variable.Key)
		return isNew && len(l.otherOwners(m, variable)) == 0 && !l.stays(variable)
	case has.IsJoined(t):
		return len(l.otherOwners(m, t)) > 0 || l.stays(t)
	default:
		return false
	}
}

// add adds a change of a thing, or of a field of it, with the values before and after it, except for a stamp, because
// people do not read those.
func (l *changeList) add(verb decision.Verb, t stamp.Address, field string) {
	c := decision.Change{Verb: verb, Template: l.pod.template.Path, Path: t.Path, Key: t.Key, Field: field}
	if verb != decision.Moves && verb != decision.Adopts && !stamp.IsKey(t.Key) {
		if verb != decision.Adds {
			c.Old = brief(valueOf(l.before(t), field))
		}
		value := valueOf(l.after.At(t.Path, t.Key), field)
		if shown, known := l.pod.workload.run.shown[value]; known {
			c.New = shown
		} else {
			c.New = brief(value)
		}
	}
	l.changes = append(l.changes, c)
}

func (l *changeList) addOthers(verb decision.Verb, t stamp.Address, others []string) {
	l.changes = append(l.changes, decision.Change{
		Verb: verb, Template: l.pod.template.Path, Path: t.Path, Key: t.Key, Others: strings.Join(others, ", "),
	})
}

// addDifferences adds the differences between something in the file and in the result, and returns whether there are
// any.
func (l *changeList) addDifferences(verb decision.Verb, t stamp.Address) bool {
	fields := fieldsBetween(t.Path, l.before(t), l.after.At(t.Path, t.Key))
	for _, field := range fields {
		l.add(verb, t, field)
	}
	return len(fields) > 0
}

// before returns what is in the file.
func (l *changeList) before(t stamp.Address) *node.Node { return l.pod.viewBefore().At(t.Path, t.Key) }

// stays reports whether something is in the file and in the result.
func (l *changeList) stays(t stamp.Address) bool {
	return l.before(t) != nil && l.after.At(t.Path, t.Key) != nil
}

// hasOtherNames reports whether something refers to other objects in the result than in the file, because the app does,
// from which a sidecar takes it over.
func (l *changeList) hasOtherNames(t stamp.Address) bool {
	isComparable := stamp.Refers(t) && l.stays(t) && !l.pod.isDrifted(t)
	return isComparable && !stamp.SameNames(t, l.before(t), l.after.At(t.Path, t.Key))
}

// otherOwners returns the other injectors that have added something, too: those of the run, and then the others.
func (l *changeList) otherOwners(m *runInjector, t stamp.Address) []string {
	if l.addedBy == nil {
		l.addedBy = map[stamp.Address][]string{}
		for _, injection := range l.pod.injections {
			l.addOwner(injection.by.injector.Name, injection.stamp)
		}
		for _, o := range l.pod.todo.others {
			l.addOwner(stamp.NameOf(o.Key), o.Stamp)
		}
	}
	return slices.DeleteFunc(slices.Clone(l.addedBy[t]), func(name string) bool { return name == m.injector.Name })
}

func (l *changeList) addOwner(name string, s *stamp.Stamp) {
	for _, t := range s.Addresses() {
		l.addedBy[t] = append(l.addedBy[t], name)
	}
}

// warnUnstamped warns of a sidecar that equals the payload and is not in the stamp: it is never updated, and becomes a
// conflict once the config changes.
func (p *pod) warnUnstamped(injection injection) {
	m := injection.by
	spec := &m.injector.Spec
	settlesConflicts := spec.OnConflict.Container != v1alpha1.ContainerError
	if m.injector.IsForeign() || spec.Adopt || settlesConflicts {
		return
	}
	p.reportUnstamped(m, injection.stamp,
		"it is as the injector wants it, and has no stamp by which it could be updated or removed; if it is not the app's own, "+
			"set spec.adopt to true, and remove the injector's stamp if there is one; if it is, "+
			"set spec.onConflict.container to Keep")
}

func brief(n *node.Node) string {
	if n == nil {
		return ""
	}
	return strings.ReplaceAll(node.Brief(n), "\n", `\n`)
}

const resourcesField = "resources" // of containers

// valueOf returns a field of an entry, such as resources.limits.cpu, or the whole entry if the field is empty.
func valueOf(entry *node.Node, field string) *node.Node {
	if field == "" {
		return entry
	}
	return node.Get(entry, strings.Split(field, ".")...)
}

// fieldsBetween returns in which fields two versions of something differ. The field is empty for the whole, if it is
// not a container that is in both. Resources are compared quantity by quantity, because people want to see how much
// changes.
func fieldsBetween(path string, a, b *node.Node) []string {
	switch {
	case node.Equal(a, b):
		return nil
	case !isMapping(a) || !isMapping(b) || !stamp.IsContainers(path):
		return []string{""}
	}
	fields := node.DifferingKeys(a, b)
	if i := slices.Index(fields, resourcesField); i >= 0 {
		differing := resourcesBetween(node.Get(a, resourcesField), node.Get(b, resourcesField))
		return slices.Replace(fields, i, i+1, differing...)
	}
	return fields
}

// resourcesBetween returns in which quantities the resources of a container differ, such as resources.limits.memory. It
// is the field as a whole if there is another difference, or a name that is a path of its own, such as nvidia.com/gpu.
func resourcesBetween(a, b *node.Node) []string {
	whole := []string{resourcesField}
	var fields []string
	for _, kind := range node.DifferingKeys(a, b) {
		ofA := node.Get(a, kind)
		ofB := node.Get(b, kind)
		if !isMapping(ofA) || !isMapping(ofB) {
			return whole
		}
		for _, name := range node.DifferingKeys(ofA, ofB) {
			if strings.ContainsAny(name, "./") {
				return whole
			}
			fields = append(fields, resourcesField+"."+kind+"."+name)
		}
	}
	if len(fields) == 0 { // they are not mappings
		return whole
	}
	return fields
}

func isMapping(n *node.Node) bool { return n != nil && n.Kind == node.MappingNode }
