package engine

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/core/wording"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// reportDrifts reports what a person has changed since it was injected. It is overwritten already.
func (p *pod) reportDrifts() {
	for _, injection := range p.injections {
		p.addOtherNames(injection)
	}
	if len(p.undone.Drifts) == 0 {
		return
	}
	view := p.workload.newView(p.version().Node)
	for _, d := range p.undone.Drifts {
		wanted := view.At(d.Path, d.Key)
		if isOverwritten := d.Lost || d.Foreign || !node.Equal(d.Present, wanted); !isOverwritten {
			continue
		}
		m := p.workload.run.injectorByStampKey[d.Owner]
		inFile := d
		inFile.Present = p.inFile(d.Address, d.Present)
		words := p.describeDrift(m, inFile, p.inFile(d.Address, wanted))
		for _, w := range words {
			p.report(m, w.finding(m.injector.Spec.OnDrift, p.template.At(p.viewBefore().FieldOf(d.Address, w.field))))
		}
	}
}

// addOtherNames adds to the drifts what has other names of objects than the config declares, although it has declared
// these before. An undo does not notice it.
func (p *pod) addOtherNames(injection injection) {
	old := p.stamps.stamps[injection.by.key]
	if old == nil {
		return
	}
	for _, t := range injection.stamp.Addresses() {
		was := old.Changes[t]
		if !stamp.Refers(t) || !old.Adds(t.Path, t.Key) || p.isDrifted(t) {
			continue
		}
		if !was.DeclaresLike(injection.stamp.Changes[t].Fingerprint) {
			continue
		}
		present := p.viewBefore().At(t.Path, t.Key)
		if present != nil && !was.Declares(t, present, p.declared(injection.by)) {
			drift := version.Drift{Owner: injection.by.key, Address: t, Present: present}
			p.undone.Drifts = append(p.undone.Drifts, drift)
		}
	}
}

// isDrifted reports whether it is known that somebody has changed something.
func (p *pod) isDrifted(t stamp.Address) bool {
	return slices.ContainsFunc(p.undone.Drifts, func(d version.Drift) bool { return d.Address == t })
}

// addsAgain reports whether an injector still adds what its old stamp names, and whether it adds the same. A variable
// that it sets is another one than a variable that it joins something to.
func (p *pod) addsAgain(m *runInjector, t stamp.Address) (isAdded, isSame bool) {
	at := slices.IndexFunc(p.injections, func(injection injection) bool { return injection.by == m })
	if at < 0 {
		return false, false
	}
	now := p.injections[at].stamp
	old := p.stamps.stamps[m.key]
	return now.Adds(t.Path, t.Key) && now.IsJoined(t) == old.IsJoined(t), now.Changes[t].Hash == old.Changes[t].Hash
}

// driftWords are what a person did to something injected, and what becomes of it.
type driftWords struct {
	field      string // of a container; empty for the whole
	found      string
	fate       fate
	is, wanted string
}

// fate is what becomes of something, and what would become of it.
type fate struct{ will, would string }

func becoming(wanted string) fate { return fate{"becomes " + wanted, "would become " + wanted} }

// describeDrift puts a drift into words, given what the injectors want in its place, or nil. If the config has not
// changed since, the fields in which a container differs from it are those that a person changed.
func (p *pod) describeDrift(m *runInjector, d version.Drift, wanted *node.Node) []driftWords {
	name := wording.EntryName(d.Path, d.Key)
	switch {
	case d.Foreign:
		return []driftWords{{
			found: name + " does not look like what was injected by that name",
			fate:  fate{"is taken for the app's own", "would be taken for the app's own"},
		}}
	case d.Lost:
		return []driftWords{{
			found: name + " was taken out or renamed by hand",
			fate: fate{
				"what was added to it is no longer the injector's; " +
					"where it was renamed, check what was added to it",
				"would make what was added to it no longer the injector's; " +
					"where it was renamed, check what was added to it",
			},
		}}
	}
	fields := fieldsBetween(d.Path, d.Present, wanted)
	isAdded, isSame := p.addsAgain(m, d.Address)
	// It is not known who changed which of the fields in which the two differ.
	if isAdded && !isSame && fields[0] != "" {
		differing := strings.Join(fields, ", ")
		return []driftWords{{
			found: name + " was changed by hand while its config changed, too",
			fate: fate{
				"gets these fields from the config: " + differing,
				"would get these fields from the config: " + differing,
			},
		}}
	}
	if !isSame {
		fields = []string{""}
	}
	words := make([]driftWords, len(fields))
	for i, field := range fields {
		words[i] = describeChange(d, field, wanted, slices.Contains(p.todo.remove, m))
		if from := p.workload.run.imageLine(m, d.Key, node.Text(wanted, imageField)); field == imageField && from != "" {
			words[i].fate.will += " from " + from
			words[i].fate.would += " from " + from
		}
	}
	return words
}

// describeChange describes what a person did to a field, or to the whole, given what the injectors want in its place,
// or nil.
func describeChange(d version.Drift, field string, entry *node.Node, isRemoval bool) driftWords {
	present := valueOf(d.Present, field)
	desired := valueOf(entry, field)
	is, wanted := briefDifference(present, desired)
	name := wording.EntryName(d.Path, d.Key)
	if field != "" {
		name = field + " of " + name
	}
	w := driftWords{field: field, found: name + " was changed by hand: it is " + is, is: is, wanted: wanted}
	switch {
	case node.IsNull(present):
		w.found = name + " was taken out by hand"
		w.is = ""
		w.fate = fate{"comes back", "would come back"}
	case entry == nil && isRemoval:
		w.wanted = ""
		w.fate = fate{"is removed with the sidecar", "would be removed with the sidecar"}
	case entry == nil:
		w.wanted = ""
		w.fate = fate{
			"is removed, because the injector no longer adds it",
			"would be removed, because the injector no longer adds it",
		}
	case node.IsNull(desired):
		w.found = name + " was added by hand: it is " + is
		w.wanted = ""
		w.fate = fate{"is removed", "would be removed"}
	default:
		w.fate = becoming(wanted)
	}
	return w
}

// briefDifference returns two values as short lines. If texts are the same at first, as long JSON in an annotation may
// be, the lines begin shortly before the difference.
func briefDifference(a, b *node.Node) (briefA, briefB string) {
	const few, context = 100, 20
	if !node.IsString(a) || !node.IsString(b) {
		return node.Brief(a), node.Brief(b)
	}
	textA := node.Resolve(a).Value
	textB := node.Resolve(b).Value
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}
	if same <= few {
		return node.Brief(a), node.Brief(b)
	}
	from := func(text string) string {
		return "..." + node.Brief(node.String(strings.ToValidUTF8(text[same-context:], "")))
	}
	return from(textA), from(textB)
}

// finding reports a drift as severe as the policy says.
func (w driftWords) finding(policy v1alpha1.OnDrift, path string) finding.Finding {
	severity := finding.Warning
	fate := w.fate.will
	if policy == v1alpha1.DriftError {
		severity = finding.Error
		fate = w.fate.would + " (spec.onDrift: Error); undo that change or put it into the config, " +
			"or set spec.onDrift to Overwrite"
	}
	at := &finding.Field{Path: path, Current: w.is, Proposed: w.wanted}
	return newFinding(severity, finding.Drifted, at, "%s, and %s", w.found, fate)
}
