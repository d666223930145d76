package apply

import (
	"slices"

	"pillion.dev/pillion/internal/config/plan"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// Owners tells what of a pod template is the app's, and what injectors put in.
type Owners interface {
	// App returns the pod template without anything that any injector put in, as far as stamps tell.
	App() *stamp.View
	// IsOthers reports whether another injector put in something.
	IsOthers(at stamp.Address) bool
	// IsOtherRuns reports whether an injector of another run put in something.
	IsOtherRuns(at stamp.Address) bool
	// IsOfRun reports whether an injector before this one in the run put in something, or wants what the app has.
	IsOfRun(at stamp.Address) bool
	// IsNamed reports whether a stamp of the pod, or an injector of the run that selects it, has a container of a name.
	IsNamed(container string) bool
	// Joined returns what other injectors joined to a variable, and IsGrown reports whether they added something to a
	// quantity.
	Joined(variable stamp.Address) []stamp.Joined
	IsGrown(quantity stamp.Address) bool
	// Names returns the names of the other injectors.
	Names() string
	// IsUnstamped reports whether an injector of the run that selects the pod has a container of a name, and leaves no
	// stamp. On a second run, such a container looks like the app's.
	IsUnstamped(container string) bool
}

// Intent is something that an injector would put into the pod template if there were no other, or that it finds there.
type Intent struct {
	stamp.Wanted
	// IsApps is set if the app has just that, so that no stamp names it.
	IsApps bool
	// IsMerged is set for a container of the app that has all that is wanted, and may have more.
	IsMerged bool

	// Joins is set for a variable to whose value something is joined, which WantsJoined has.
	Joins bool

	place   *plan.Operation // that says where a container goes; nil for everything else
	isFront bool            // it is a variable that goes in front of the app's
}

// intents are what an injector wants.
type intents []Intent

// add adds something that is put in. The entry of a list has its own key, even if it replaces one with another key.
func (w *intents) add(at stamp.Address, value *node.Node) {
	if pod.At(at.Path).IsKeyed() {
		w.addEntry(at.Path, value)
		return
	}
	*w = append(*w, Intent{Wanted: stamp.Wanted{Address: at, Value: value}})
}

func (w *intents) addEntry(list string, entry *node.Node) {
	at := stamp.Address{Path: list, Key: stamp.KeyOf(list, entry)}
	*w = append(*w, Intent{Wanted: stamp.Wanted{Address: at, Value: entry, IsEntry: true}})
}

func (w *intents) addContainer(list string, body *node.Node, op *plan.Operation) {
	w.addEntry(pod.InSpec(list).Path, body)
	(*w)[len(*w)-1].place = op
}

func (w *intents) addApps(at stamp.Address, value *node.Node) {
	*w = append(*w, Intent{Wanted: stamp.Wanted{Address: at, Value: value}, IsApps: true})
}

// isOfRun reports whether this injector, or one before it in the run, wants something.
func (p *Pod) isOfRun(at stamp.Address) bool {
	if p.Owners.IsOfRun(at) {
		return true
	}
	isSame := func(w Intent) bool { return w.Address == at && !w.Joins }
	return p.Room.Charge(len(p.Intents)*meter.PerValue) && slices.ContainsFunc(p.Intents, isSame)
}

// isApps reports whether a container of that name is the app's own.
func (p *Pod) isApps(name string) bool {
	return !p.plan.Has(name) && !p.Owners.IsNamed(name) // a variable may have made the name
}

// isInjected reports whether an injector added the entry of a name to one of the pod spec's lists. No injector adds one
// without a name.
func (p *Pod) isInjected(list, name string) bool { return name != "" && p.appEntry(list, name) == nil }

// isAppContainer reports whether the app has a container, even if injectors add an equal one, keep it or replace it.
func (p *Pod) isAppContainer(name string) bool {
	return p.isApps(name) || !p.Owners.IsUnstamped(name) && p.appEntry(containers, name) != nil
}

// appContainer returns a container as the app has it, or nil. One that the injector itself replaces does not count.
func (p *Pod) appContainer(list, name string) *node.Node {
	if p.plan.Has(name) || p.Owners.IsUnstamped(name) {
		return nil
	}
	return p.appEntry(list, name)
}

// hasClaimTemplate reports whether a StatefulSet adds a volume of a name.
func (p *Pod) hasClaimTemplate(name string) bool { return slices.Contains(p.ClaimTemplates, name) }

// appEntry returns the app's entry of a name in one of the pod spec's lists, without what injectors added to it, or
// nil.
func (p *Pod) appEntry(list, name string) *node.Node {
	return p.Owners.App().At(pod.InSpec(list).Path, name)
}

// CausedByOthers is the end of a message about something that other injectors cause.
func CausedByOthers(names string) string {
	return "; the cause is what other injectors add (" + names + ")"
}
