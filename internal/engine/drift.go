package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// settleDrifts reports what a person has changed since it was injected, and keeps or overwrites it as the config says.
func (p *pod) settleDrifts() {
	p.addOtherNames()
	if len(p.undone.Drifts) == 0 {
		return
	}
	before := p.version().Snapshot()
	view := stamp.NewView(before.Node)
	p.nameParts(view)
	var kept []stamp.Drift
	for _, d := range p.undone.Drifts {
		wanted := d.Wanted(view.At(d.Path, d.Key))
		if !isOverwritten(d, wanted) {
			continue
		}
		m := p.work.run.owners[d.Owner]
		words := p.describeDrift(m, d, wanted)
		for _, w := range words {
			p.report(m, w.finding(m.injector.Spec.OnDrift, p.template.At(p.viewBefore().FieldOf(d.Thing, w.field))))
		}
		if m.injector.Spec.OnDrift == v1alpha1.DriftKeep && words[0].stays != "" {
			kept = append(kept, d)
		}
	}
	p.keepFingerprints(kept)
	stamp.Keep(p.ownVersion().Node, p.template.Node, p.bared.Node, kept)
	p.checkKept(before, kept)
}

// nameParts gives parts of values that somebody has taken out their texts, which stamps do not have, if they come back.
func (p *pod) nameParts(wanted *stamp.View) {
	for _, made := range p.made {
		if old := p.before(made.by.key); old != nil {
			named := old.FindParts(wanted)
			for i, d := range p.undone.Drifts {
				if at, isNamed := named[d.Thing]; isNamed && d.Owner == made.by.key {
					p.undone.Drifts[i].Thing = at
				}
			}
		}
	}
}

// addOtherNames adds to the drifts what has other names of objects than the config declares, although it has declared these before. An
// undo does not notice it.
func (p *pod) addOtherNames() {
	for _, made := range p.made {
		old := p.before(made.by.key)
		if old == nil {
			continue
		}
		for _, t := range made.stamp.Things() {
			was := old.Added[t.Path][t.Key]
			if !stamp.Refers(t) || !old.Adds(t.Path, t.Key) || p.isDrifted(t) || !was.DeclaresLike(made.stamp.Added[t.Path][t.Key]) {
				continue
			}
			if present := p.viewBefore().At(t.Path, t.Key); present != nil && !was.Declares(t, present, p.declared(made.by)) {
				p.undone.Drifts = append(p.undone.Drifts, stamp.Drift{Owner: made.by.key, Thing: t, Present: present})
			}
		}
	}
}

// isDrifted reports whether it is known that somebody has changed something.
func (p *pod) isDrifted(t stamp.Thing) bool {
	return slices.ContainsFunc(p.undone.Drifts, func(d stamp.Drift) bool { return d.Thing == t })
}

// describeDrift puts a drift into words, given what the injectors want in its place, or nil. If the config has not changed since,
// the fields in which a container differs from it are those that a person changed. All of them stay, or none.
func (p *pod) describeDrift(m *member, d stamp.Drift, wanted *yaml.Node) []driftWords {
	switch {
	case d.Foreign:
		return []driftWords{describeForeign(d)}
	case d.Lost:
		return []driftWords{describeLost(d)}
	case d.IsGrown:
		return []driftWords{describeGrown(d)}
	}
	fields := fieldsBetween(d.Path, d.Present, wanted)
	isAdded, isSame := p.addsAgain(m, d.Thing)
	if isAdded && !isSame && fields[0] != "" {
		return []driftWords{describeBothChanged(d, fields)}
	}
	if !isSame {
		fields = []string{""}
	}
	words := make([]driftWords, len(fields))
	for i, field := range fields {
		words[i] = describeChange(d, field, wanted, slices.Contains(p.plan.remove, m))
		words[i].isStale = !isSame
		if !isAdded {
			words[i].stays = "" // otherwise what the app had before would be lost
		}
	}
	return words
}

// addsAgain reports whether an injector still adds what its old stamp names, and whether it adds the same. A variable that it sets is
// another one than a variable that it joins something to.
func (p *pod) addsAgain(m *member, t stamp.Thing) (isAdded, isSame bool) {
	for _, made := range p.made {
		if made.by == m {
			old := p.before(m.key)
			f, isAdded := made.stamp.Added[t.Path][t.Key]
			isAdded = isAdded && made.stamp.IsJoined(t) == old.IsJoined(t)
			return isAdded, f.Hash == old.Added[t.Path][t.Key].Hash
		}
	}
	return false, false
}

// keepFingerprints makes the new stamps record what stays as a person changed it as the old ones do. So it counts as changed until
// the person takes the change back.
func (p *pod) keepFingerprints(kept []stamp.Drift) {
	for _, made := range p.made {
		old := p.before(made.by.key)
		if old == nil {
			continue
		}
		for _, d := range kept {
			if old.Adds(d.Path, d.Key) && made.stamp.Adds(d.Path, d.Key) {
				f := made.stamp.Added[d.Path][d.Key]
				f.Hash = old.Added[d.Path][d.Key].Hash
				made.stamp.Added[d.Path][d.Key] = f
			}
		}
	}
}

// checkKept compares the pod that has a person's changes with the pod as the injectors made it: a container that somebody made
// privileged is subject to the same checks as one that an injector adds.
func (p *pod) checkKept(before podtemplate.Template, kept []stamp.Drift) {
	owners := map[string]bool{}
	for _, d := range kept {
		owners[d.Owner] = true
	}
	for _, made := range p.made {
		if !owners[made.by.key] {
			continue
		}
		for _, f := range p.brokenBetween(made.by, before, p.version()) {
			f.Message += "; the cause is a change by hand, which stays (spec.onDrift: Keep)"
			p.report(made.by, f)
		}
	}
}

// isOverwritten reports whether something that a person changed differs from what is wanted in its place.
func isOverwritten(d stamp.Drift, wanted *yaml.Node) bool {
	return d.Lost || d.Foreign || d.IsGrown || !node.Equal(d.Present, wanted)
}

// driftWords are what a person did to something injected, and what becomes of it.
type driftWords struct {
	field                       string // of a container; empty for the whole
	found, becomes, wouldBecome string
	stays                       string // empty where there is nothing for it to stay in
	isStale                     bool   // whether it misses a change of the config if it stays
	is, wanted                  string
}

func describeForeign(d stamp.Drift) driftWords {
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " does not look like what was injected by that name",
		becomes: "is taken for the app's own", wouldBecome: "be taken for the app's own",
	}
}

func describeLost(d stamp.Drift) driftWords {
	const fate = " no longer the injector's; where it was renamed, check what was added to it"
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " was taken out or renamed by hand",
		becomes: "what was added to it is" + fate, wouldBecome: "make what was added to it" + fate,
	}
}

func describeGrown(d stamp.Drift) driftWords {
	name := outcome.EntryName(d.Path, d.Key)
	if node.IsNull(d.Present) {
		return driftWords{found: name + " was taken out by hand", becomes: "counts as never set", wouldBecome: "count as never set"}
	}
	const fate = ", because what was added to it cannot be subtracted"
	return driftWords{
		found:   name + " was changed by hand: it is " + node.Brief(d.Present),
		becomes: "is taken for the app's own" + fate, wouldBecome: "be taken for the app's own" + fate,
	}
}

// describeBothChanged describes a container that a person changed, and the config as well, so that it is not known who changed
// which of the fields in which the two differ.
func describeBothChanged(d stamp.Drift, fields []string) driftWords {
	differing := strings.Join(fields, ", ")
	return driftWords{
		found:   outcome.EntryName(d.Path, d.Key) + " was changed by hand while its config changed, too",
		becomes: "gets these fields from the config: " + differing, wouldBecome: "get these fields from the config: " + differing,
		stays: "stays as it is, differing from the config in " + differing, isStale: true,
	}
}

// describeChange describes what a person did to a field, or to the whole, given what the injectors want in its place, or nil.
func describeChange(d stamp.Drift, field string, entry *yaml.Node, isRemoval bool) driftWords {
	present, desired := valueOf(d.Present, field), valueOf(entry, field)
	is, wanted := briefDifference(present, desired)
	name := outcome.EntryName(d.Path, d.Key)
	if field != "" {
		name = field + " of " + name
	}
	w := driftWords{field: field, found: name + " was changed by hand: it is " + is, is: is, wanted: wanted}
	switch {
	case node.IsNull(present):
		w.found, w.is = name+" was taken out by hand", ""
		w.becomes, w.wouldBecome, w.stays = "comes back", "come back", "stays out"
	case entry == nil:
		why := ", because the injector no longer adds it"
		if isRemoval {
			why = " with the sidecar"
		}
		w.becomes, w.wouldBecome, w.wanted = "is removed"+why, "be removed"+why, ""
	case node.IsNull(desired):
		w.found, w.wanted = name+" was added by hand: it is "+is, ""
		w.becomes, w.wouldBecome, w.stays = "is removed", "be removed", "stays"
	default:
		w.becomes, w.wouldBecome, w.stays = "becomes "+wanted, "become "+wanted, "stays, instead of becoming "+wanted
	}
	return w
}

// briefDifference returns two values as short lines. If texts are the same at first, as long JSON in an annotation may be, the lines
// begin shortly before the difference.
func briefDifference(a, b *yaml.Node) (briefA, briefB string) {
	const few, context = 100, 20
	if !node.IsString(a) || !node.IsString(b) {
		return node.Brief(a), node.Brief(b)
	}
	textA, textB := node.Resolve(a).Value, node.Resolve(b).Value
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
	at := &finding.Field{Path: path, Current: w.is, Proposed: w.wanted}
	const code = finding.Drifted
	switch {
	case policy == v1alpha1.DriftError && w.stays == "":
		return newFinding(finding.Error, code, at, "%s, and would %s (spec.onDrift: Error); undo that change, or set spec.onDrift to Overwrite",
			w.found, w.wouldBecome)
	case policy == v1alpha1.DriftError:
		return newFinding(finding.Error, code, at, "%s, and would %s (spec.onDrift: Error); undo that change or put it into the config, "+
			"or set spec.onDrift to Overwrite or Keep", w.found, w.wouldBecome)
	case policy == v1alpha1.DriftKeep && w.stays != "" && w.isStale:
		return newFinding(finding.Warning, code, at, "%s, and %s (spec.onDrift: Keep); undo that change, or put it into the config",
			w.found, w.stays)
	case policy == v1alpha1.DriftKeep && w.stays != "":
		return newFinding(finding.Info, code, at, "%s, and %s (spec.onDrift: Keep)", w.found, w.stays)
	default:
		return newFinding(finding.Warning, code, at, "%s, and %s", w.found, w.becomes)
	}
}
