package engine

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/wording"
	pods "pillion.dev/pillion/internal/pods/pod"
)

// owners returns the injectors that have put something into the pod template already.
func (p *pod) owners() *ledger.Owners {
	if !p.knowsOwners {
		p.knowsOwners = true
		p.knownOwners = ledger.Owners{}
		for _, other := range p.todo.others {
			p.knownOwners.Add(ledger.Ledger{Injector: stamp.NameOf(other.Key), Stamp: other.Stamp})
		}
	}
	return &p.knownOwners
}

// IsNamed reports whether a stamp of the pod, or an injector of the run that selects it, has a container of a name.
func (p *pod) IsNamed(container string) bool {
	return p.injectedNames()[container] || p.isStamped(pods.Main, container) || p.isStamped(pods.Init, container)
}

// appView returns a view of the pod template of the app.
func (p *pod) appView() *stamp.View {
	app := p.appTemplate()
	if app == p.template.Node {
		return p.viewBefore()
	}
	if p.viewOfApp == nil || p.appNode != app {
		p.viewOfApp = p.workload.newView(app)
		p.appNode = app
	}
	return p.viewOfApp
}

// ledgerOf returns the ledger of an injector: what it would do to the pod template if there were no other.
func (p *pod) ledgerOf(m *runInjector, applied *apply.Pod) ledger.Ledger {
	s := p.workload.memory.stamps.lend()
	applied.Entries.StampInto(s, p.hashes(m), applied.AppView, p.written)
	return ledger.Ledger{Injector: m.injector.Name, IsOfRun: true, Stamp: s, Entries: applied.Entries}
}

// conflicts returns findings about clashes.
func (p *pod) conflicts(clashes []ledger.Clash) []finding.Finding {
	var all []finding.Finding
	for _, clash := range clashes {
		message := describe(clash)
		if !clash.With.IsOfRun {
			message += runTogether(clash.With.Injector)
		}
		if len(p.workload.run.before)+len(p.workload.run.after) > 0 {
			message += "; the cause may be a transformer of your program"
		}
		all = append(all, newFinding(finding.Error, finding.InjectorConflict, p.podSpec(), "%s", message))
	}
	return all
}

// describe says what two injectors cannot both have, and what to do about it.
func describe(c ledger.Clash) string {
	first := c.Injectors[0]
	second := c.Injectors[1]
	name := wording.EntryName(c.Path, c.Key)
	switch c.Kind {
	case ledger.SidesDiffer:
		return fmt.Sprintf("the injectors %q and %q join %s on different sides of the app's value; "+
			"use the same joinOrder in both", first, second, name)
	case ledger.SeparatorsDiffer:
		return fmt.Sprintf("the injectors %q and %q join values to %s with different separators, %q and %q; "+
			"use the same separator (join) in both", first, second, name, c.Separators[0], c.Separators[1])
	case ledger.TheyWantAll, ledger.ThisWantsAll:
		return fmt.Sprintf("the injector %q sets all of %s, and %q adds something to it; "+
			"keep one of the injectors from this pod", first, name, second)
	default:
		return fmt.Sprintf("the injectors %q and %q both want %s, and not the same; "+
			"make them equal, give one of them another name, or keep one of the injectors from this pod",
			first, second, name)
	}
}

func runTogether(other string) string {
	return fmt.Sprintf("; to change both at once, run them as one SidecarInjectorList; "+
		"if %q is not in use any more, run it with action: Remove first", other)
}
