package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// fillSpec sets a field of the pod spec that the pod does not set, or adds to it what it lacks.
func (p *Pod) fillSpec(op injector.Operation) {
	defer p.noteFinishes()
	if synonym := op.Row.Synonym; synonym != "" && !node.IsNull(p.wantedOrApps(stamp.Address{Path: "spec", Key: synonym})) {
		setsBoth := !node.IsNull(node.Get(p.plan.PodSpec, synonym)) // then the other one decides
		if !setsBoth && !node.IsNull(op.Value) {
			at := stamp.Address{Path: "spec", Key: synonym}
			p.warnOfSpec(at, op.Value, synonym+" of the pod, which is another name of "+op.Key+",")
		}
		return
	}
	f := filler{Pod: p, grows: true}
	f.fillField(p.Spec(), op.Value, stamp.Address{Path: "spec", Key: op.Key}, op.Row)
	for _, field := range f.fields {
		p.warnOfSpec(field.at, field.wanted, "")
	}
}

// noteFinishes sets whether the pod is meant to finish as a second run sees it.
func (p *Pod) noteFinishes() {
	if restart := node.Text(p.wantedOrApps(stamp.Address{Path: "spec", Key: "restartPolicy"})); restart == "Never" || restart == "OnFailure" {
		p.Finishes = true
	}
}

// mergeContainer adds to a container of the app the fields of the payload's container of that name that it does not
// have.
func (p *Pod) mergeContainer(at stamp.Address, list string, index int, body *node.Node) {
	app := node.Resolve(p.entries(list)[index])
	f := filler{Pod: p, container: at.Key}
	known := len(p.Entries)
	before := len(p.lateWarnings)
	f.fill(app, body, at.Inside(), pod.InSpec(list).Entry())
	if isAdding := func(e ledger.Entry) bool { return !e.IsApps() }; !slices.ContainsFunc(p.Entries[known:], isAdding) {
		p.Entries.FindIn(at, app)
	}
	p.lateWarnings = slices.Insert(p.lateWarnings, before, p.warnOfFields(at, f.fields))
	p.setHas(at.Key)
}

// filler adds what the payload has to what the pod has.
type filler struct {
	*Pod
	container string // for messages
	// grows adds missing entries to lists without a key, and missing fields to entries of the same key. In a container,
	// a list without a key is one value: a command.
	grows bool

	fields []wantedField // of the app that stay, if the payload has other values
}

// fill adds to a mapping at a path the fields of another that it does not have.
func (f *filler) fill(into, from *node.Node, path string, row *pod.Row) {
	for _, name := range node.Keys(from) {
		f.fillField(into, node.Get(from, name), stamp.Address{Path: path, Key: name}, row.Child(name))
	}
}

// fillField adds a field to a mapping, given the row of the field. Lists that Kubernetes merges by a key are merged
// entry by entry; other lists are one value, unless the filler grows them.
func (f *filler) fillField(into, value *node.Node, at stamp.Address, row *pod.Row) {
	field := node.Get(into, at.Key)
	isBoth := func(kind node.Kind) bool {
		return !node.IsNull(field) && field.Kind == kind && value.Kind == kind
	}
	switch {
	case node.IsNull(value):
	case node.IsNull(field):
		f.Entries.Put(at, value)
	case isBoth(node.MappingNode) && !row.Whole:
		f.fill(field, value, at.Inside(), row)
	case isBoth(node.SequenceNode) && row.IsKeyed():
		f.fillList(f.listAt(field, row, at), node.List(value)...)
	case isBoth(node.SequenceNode) && f.grows:
		f.addMissing(f.listAt(field, row, at), node.List(value))
	default:
		f.fields = append(f.fields, wantedField{at, value})
	}
}

// listAt returns a list of a container, or of another field of the pod spec.
func (f *filler) listAt(field *node.Node, row *pod.Row, at stamp.Address) *list {
	l := listOf(field, row, at.Inside())
	l.choice = injector.Choice(row.Taken.Choice(f.plan.Spec.OnConflict))
	return &l
}

// addMissing adds to a list the entries that it does not have.
func (f *filler) addMissing(l *list, entries []*node.Node) {
	for _, entry := range entries {
		if !f.chargeFind(l) {
			return
		}
		if slices.ContainsFunc(l.entries, func(present *node.Node) bool { return node.Equal(present, entry) }) {
			continue
		}
		f.Entries.PutEntry(l.at, entry)
		l.add(entry)
	}
}

// chargeFind counts the steps of comparing something with the entries of a list.
func (f *filler) chargeFind(l *list) bool {
	each := meter.PerEntry
	if l.row == pod.InContainer("ports") { // they are compared in more than a key
		each = meter.PerPort
	}
	return f.Room.Charge(len(l.entries) * each)
}

func (f *filler) fillList(l *list, entries ...*node.Node) {
	for _, entry := range entries {
		if !f.chargeFind(l) {
			return
		}
		if index := l.find(entry); index >= 0 {
			f.settleIn(l, index, entry)
			continue
		}
		f.addIn(l, entry)
	}
}

func (f *filler) addIn(l *list, entry *node.Node) {
	if f.Room.Take(node.Weight(entry)) {
		l.add(entry)
		f.Entries.PutEntry(l.at, entry)
	}
}

// settleIn settles the conflict with an entry of the same key.
func (f *filler) settleIn(l *list, index int, entry *node.Node) {
	at := l.thing(l.entries[index])
	if l.row.Expands && l.choice == injector.Keep {
		index = lastOf(l.entries, l.row.HasKeyOf(entry)) // which Kubernetes uses
	}
	switch f.settle(at, node.Resolve(l.entries[index]), entry, l.choice) {
	case replaces:
		f.replaceIn(l, index, entry)
	case refused:
		f.refuse(l, index, entry)
	case keeps:
		if f.grows && l.row.Grows && index < l.apps {
			f.fill(node.Resolve(l.entries[index]), entry, at.Inside(), l.row.Entry())
		} else {
			f.warnOfEntry(l, at, entry)
		}
	}
}

func (f *filler) refuse(l *list, index int, entry *node.Node) {
	settle := "set spec.onConflict." + l.row.Taken.Field + " to Keep"
	if l.row.Taken.Replace {
		settle += " or Replace"
	}
	found := f.report(finding.Error, l.row.Taken.Code, f.pathOf(l, index),
		"%s %q of the app's container %q differs from the injector's; make them equal, or %s",
		l.row.KeyNoun(), l.row.Key(entry), f.container, settle)
	if f.container == "" {
		found.Message = fmt.Sprintf("volume %q is already there and is different; rename one of them, or %s",
			l.row.Key(entry), settle)
	}
	found.Field.Current = node.Brief(node.Resolve(l.entries[index]))
	found.Field.Proposed = node.Brief(entry)
}

// pathOf returns the path of an entry, given its index.
func (f *filler) pathOf(l *list, index int) string {
	return f.At(f.viewBefore().FieldOf(l.thing(l.entries[index]), ""))
}

// replaceIn replaces an entry of the app where it is. It refuses one that the app has twice, and a variable that uses
// one further down, which Kubernetes would not expand.
func (f *filler) replaceIn(l *list, index int, entry *node.Node) {
	problem := ""
	seen := f.viewBefore().List(l.at)
	if lastOf(l.entries, l.row.HasKeyOf(entry)) != index {
		problem = "is there twice; remove one of them"
	} else if last := behindUsed(seen, entry) - 1; l.row.Expands && last > l.row.Find(seen, entry) {
		problem = fmt.Sprintf("would use $(%[1]s), which comes after it; move %[1]s before it", node.Text(seen[last], "name"))
	}
	if problem == "" {
		if f.Room.Take(node.Weight(entry)) {
			l.replace(index, entry)
		}
		return
	}
	of := ""
	if f.container != "" {
		of = fmt.Sprintf(" of the app's container %q", f.container)
	}
	f.report(finding.Error, l.row.Taken.Code, f.pathOf(l, index), "%s %q%s %s in the manifest, or set spec.onConflict.%s to Keep",
		l.row.KeyNoun(), l.row.Key(entry), of, problem, l.row.Taken.Field)
}

// lastOf returns the index of the last entry that has a key. One of them has it.
func lastOf(entries []*node.Node, hasKey func(*node.Node) bool) int {
	at := len(entries) - 1
	for at > 0 && !hasKey(entries[at]) {
		at--
	}
	return at
}
