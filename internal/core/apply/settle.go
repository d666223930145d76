package apply

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A plan runs on the app alone, as if there were no other injector: what becomes of an operation depends only on what
// the app has in its place. So it makes no difference which injectors have run before. It changes nothing:
// package version writes what is wanted, beside what others have put in.

// settled is what becomes of an operation.
type settled int

const (
	added    settled = iota // the app has nothing there
	keeps                   // the app has something there, which stays
	equal                   // the app has just that
	replaces                // what the app has
	refused                 // because the app has something else
)

// settle decides what becomes of a value that is wanted at an address, given what the app has there, and notes that it is
// wanted.
func (p *Pod) settle(at stamp.Address, app, wanted *node.Node, choice injector.Choice) settled {
	switch {
	case node.IsNull(app):
		p.Entries.Put(at, wanted)
		return added
	case choice == injector.Keep:
		return keeps
	case node.Equal(app, wanted):
		p.Entries.Find(at, wanted)
		return equal
	case choice == injector.Replace:
		p.Entries.Put(at, wanted)
		return replaces
	}
	return refused
}

// addEntry adds a volume or an imagePullSecret to the pod spec. An equal one is used as it is.
func (p *Pod) addEntry(op injector.Operation) {
	if op.Row == pod.InSpec("volumes") && p.hasClaimTemplate(op.Key) {
		p.claimConflict(op)
		return
	}
	l := p.list(op.Row.Name())
	l.choice = op.OnTaken
	f := filler{Pod: p}
	f.fillList(l, op.Value)
}

// claimConflict reports a volume with the name of a volumeClaimTemplate, which would silently overrule it. The claim
// stays in any case.
func (p *Pod) claimConflict(op injector.Operation) {
	const path = "spec.volumeClaimTemplates"
	if op.OnTaken != injector.Keep {
		p.report(finding.Error, finding.VolumeConflict, path, "a volumeClaimTemplate is already called %q; "+
			"rename the injector's volume, or set spec.onConflict.volume to Keep to use the claim", op.Key)
		return
	}
	why := " (spec.onConflict.volume: Keep)"
	if p.plan.IsForeign() {
		why = ""
	}
	f := newWarning(finding.VolumeConflict, path, node.String("a volumeClaimTemplate"), op.Value,
		"volume %q is a volumeClaimTemplate and stays so; the injector wants %s%s, %s; "+
			"rename the injector's, or remove it to use the claim",
		op.Key, shown(valueOf(op.Row, op.Value)), why, mayNotWork)
	p.lateWarnings = append(p.lateWarnings, func(_, _ *stamp.View) []finding.Finding { return []finding.Finding{f} })
}
