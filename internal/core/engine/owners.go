package engine

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// owner is an injector that has put something into a pod template already.
type owner struct {
	injector string
	stamp    *stamp.Stamp
	isOfRun  bool
	finds    []apply.Intent // what it wants and the app has
}

// owners is an index from things in a pod template to the injectors that put them in: those of other runs, and those
// before in the run.
type owners struct {
	all    []owner
	adds   map[stamp.Address][]int          // indexes of those that put it in
	enters map[stamp.Address][]int          // indexes of those that put something into a container or a variable
	finds  map[stamp.Address][]int          // indexes of those that want it, or something in it, as the app has it
	joined map[stamp.Address][]stamp.Joined // what they joined to a variable
}

// owners returns the injectors that have put something into the pod template already.
func (p *pod) owners() *owners {
	if !p.knowsOwners {
		p.knowsOwners = true
		p.owning = owners{}
		for _, other := range p.plan.others {
			p.owning.add(owner{injector: stamp.NameOf(other.Key), stamp: other.Stamp})
		}
	}
	return &p.owning
}

func (o *owners) add(one owner) {
	at := len(o.all)
	if at == 0 {
		o.adds = map[stamp.Address][]int{}
		o.enters = map[stamp.Address][]int{}
		o.finds = map[stamp.Address][]int{}
		o.joined = map[stamp.Address][]stamp.Joined{}
	}
	o.all = append(o.all, one)
	for _, thing := range one.stamp.Addresses() {
		o.adds[thing] = append(o.adds[thing], at)
	}
	for thing := range one.stamp.Enters() {
		o.enters[thing] = append(o.enters[thing], at)
	}
	for _, j := range one.stamp.JoinedParts() {
		o.joined[j.Variable] = append(o.joined[j.Variable], j)
	}
	for _, w := range one.finds {
		for _, thing := range around(w.Address) {
			o.finds[thing] = append(o.finds[thing], at)
		}
	}
}

// around returns a thing, and the container and the variable that it is in.
func around(at stamp.Address) []stamp.Address {
	all := []stamp.Address{at}
	if container := stamp.ContainerOf(at.Path); container != (stamp.Address{}) {
		all = append(all, container)
	}
	if variable, _, isPart := stamp.JoinedVariable(at.Path); isPart {
		all = append(all, variable)
	}
	return all
}

// names returns the names of the injectors: those of the run first.
func (o *owners) names() string {
	var ofRun, others []string
	for _, one := range o.all {
		if one.isOfRun {
			ofRun = append(ofRun, one.injector)
		} else {
			others = append(others, one.injector)
		}
	}
	return strings.Join(append(ofRun, others...), ", ")
}

// podOwners tells the payload who owns what is in a pod template.
type podOwners struct{ *pod }

func (p podOwners) App() *stamp.View { return p.appView() }

func (p podOwners) IsOthers(at stamp.Address) bool { return len(p.owners().adds[at]) > 0 }

func (p podOwners) IsOtherRuns(at stamp.Address) bool {
	o := p.owners()
	return slices.ContainsFunc(o.adds[at], func(i int) bool { return !o.all[i].isOfRun })
}

func (p podOwners) IsOfRun(at stamp.Address) bool {
	o := p.owners()
	return len(o.finds[at]) > 0 || slices.ContainsFunc(o.adds[at], func(i int) bool { return o.all[i].isOfRun })
}

func (p podOwners) IsNamed(container string) bool {
	_, isInjected := p.injectedNames()[container]
	return isInjected || p.isStamped(pods.Main, container) || p.isStamped(pods.Init, container)
}

func (p podOwners) Joined(variable stamp.Address) []stamp.Joined { return p.owners().joined[variable] }

func (p podOwners) IsGrown(quantity stamp.Address) bool {
	return slices.ContainsFunc(p.owners().all, func(o owner) bool { return o.stamp.Changes[quantity].Amount != "" })
}

func (p podOwners) Names() string { return p.owners().names() }

func (p podOwners) IsUnstamped(container string) bool { return p.injectedNames()[container] }

// appView returns a view of the pod template of the app.
func (p *pod) appView() *stamp.View {
	app := p.appTemplate()
	if app == p.template.Node {
		return p.viewBefore()
	}
	if p.viewOfApp == nil || p.appNode != app {
		p.viewOfApp = p.work.newView(app)
		p.appNode = app
	}
	return p.viewOfApp
}

// clash is a conflict between an injector and one that has put something into the pod template already.
type clash struct {
	with int // the index of the other one
	kind clashKind
	stamp.Address
	message string
}

// clashKind is the kind of a conflict, in the order in which they are reported.
type clashKind int

const (
	differs  clashKind = iota // the two want different values
	isWhole                   // the other one wants all of something, and this one adds something to it
	isInside                  // the other way round
)

// conflicts reports what an injector wants otherwise than those before it. Own is what it would do if there were no
// other; before and after are the pod template before and after it.
func (p *pod) conflicts(m *runInjector, own *stamp.Stamp, intents []apply.Intent, before, after *stamp.View) []finding.Finding {
	c := comparison{owners: p.owners(), mine: m.injector.Name, own: own, isLive: p.work.run.isLive, before: before, after: after}
	for _, at := range own.Addresses() {
		c.compareAdded(at)
	}
	for at := range own.Enters() {
		c.comparePart(at)
	}
	for _, w := range intents {
		c.compareIntent(w)
	}
	return p.describe(c)
}

// comparison compares what an injector wants with what others want.
type comparison struct {
	*owners
	mine          string
	own           *stamp.Stamp
	isLive        bool // whether the pod has what API servers add
	before, after *stamp.View

	clashes []clash
}

func (c *comparison) add(with int, kind clashKind, at stamp.Address, message string) {
	c.clashes = append(c.clashes, clash{with, kind, at, message})
}

// compareAdded compares something that the injector puts in.
func (c *comparison) compareAdded(at stamp.Address) {
	mine := c.own.Changes[at]
	for _, i := range c.adds[at] {
		theirs := c.all[i].stamp.Changes[at]
		if theirs.Hash != mine.Hash || c.isChanged(at) {
			c.differs(i, at)
		} else if theirs.InFront != mine.InFront {
			c.add(i, differs, at, joinOnBothSides(c.all[i].injector, c.mine, at))
		}
	}
	container := stamp.ContainerOf(at.Path)
	for _, i := range slices.Concat(c.finds[at], c.finds[container]) {
		lacks := func(w apply.Intent) bool {
			isHere := slices.Contains(around(w.Address), at) || w.Address == container && !w.IsMerged
			return isHere && !node.Equal(c.after.At(w.Path, w.Key), w.Value)
		}
		if slices.ContainsFunc(c.all[i].finds, lacks) {
			c.add(i, differs, at, wantDifferently(c.mine, c.all[i].injector, at))
		}
	}
	if !c.own.IsJoined(at) {
		for _, i := range c.enters[at] {
			c.add(i, isInside, at, wantsWhole(c.mine, c.all[i].injector, at))
		}
	}
}

// isChanged reports whether somebody has changed something that another injector put in, in the same form.
func (c *comparison) isChanged(at stamp.Address) bool {
	if c.isLive || c.own.IsJoined(at) {
		return false
	}
	present := c.before.At(at.Path, at.Key)
	return present != nil && !node.Equal(present, c.after.At(at.Path, at.Key))
}

// comparePart compares something that the injector puts something into.
func (c *comparison) comparePart(at stamp.Address) {
	for _, i := range c.adds[at] {
		if !c.all[i].stamp.IsJoined(at) {
			c.add(i, isWhole, at, wantsWhole(c.all[i].injector, c.mine, at))
		}
	}
	for _, i := range c.enters[at] {
		one := c.all[i].stamp.Separator(at)
		two := c.own.Separator(at)
		if one != two && one != "" && two != "" {
			c.add(i, differs, at, joinDifferently(c.all[i].injector, c.mine, at, one, two))
		}
	}
}

// compareIntent compares something that the injector wants with what is there: others may have replaced what the app
// has, and somebody may have changed what they put in.
func (c *comparison) compareIntent(w apply.Intent) {
	if !w.IsApps {
		return
	}
	isAdded := func(at stamp.Address) bool { return len(c.adds[at]) > 0 }
	if len(c.enters[w.Address]) == 0 && !slices.ContainsFunc(around(w.Address), isAdded) {
		return // it is nobody else's, so that the pod need not be searched for it
	}
	present := c.before.At(w.Path, w.Key)
	if node.Equal(present, w.Value) {
		return
	}
	for _, at := range around(w.Address) {
		for _, i := range c.adds[at] {
			if c.before.At(at.Path, at.Key) != nil {
				c.differs(i, at)
			}
		}
	}
	for _, i := range c.enters[w.Address] {
		if !w.IsMerged {
			c.add(i, isInside, w.Address, wantsWhole(c.mine, c.all[i].injector, w.Address))
		}
	}
}

func (c *comparison) differs(from int, at stamp.Address) {
	c.add(from, differs, at, wantDifferently(c.all[from].injector, c.mine, at))
}

// describe returns the findings about clashes, each once: those with injectors of the run first.
func (p *pod) describe(c comparison) []finding.Finding {
	order := func(with int) int {
		if c.all[with].isOfRun {
			return with - len(c.all)
		}
		return with
	}
	slices.SortStableFunc(c.clashes, func(a, b clash) int {
		return cmp.Or(order(a.with)-order(b.with), cmp.Compare(a.kind, b.kind), strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key))
	})
	isSame := func(a, b clash) bool { return a.with == b.with && a.kind == b.kind && a.Address == b.Address }
	var all []finding.Finding
	for _, found := range slices.CompactFunc(c.clashes, isSame) {
		if other := c.all[found.with]; !other.isOfRun {
			found.message += runTogether(other.injector)
		}
		all = append(all, newFinding(finding.Error, finding.InjectorConflict, p.podSpec(), "%s", found.message))
	}
	return all
}

// record returns the stamp of an injector: what it would do to the pod template if there were no other. That of an
// injector without stamps has no texts.
func (p *pod) record(m *runInjector, applied *apply.Pod) *stamp.Stamp {
	wanted := make([]stamp.Wanted, 0, len(applied.Intents))
	for _, w := range applied.Intents {
		if !w.IsApps && !w.Joins {
			wanted = append(wanted, w.Wanted)
		}
	}
	inside := stamp.Inside{Joined: applied.WantsJoined, Grown: applied.Grown, App: p.appView()}
	written := p.written
	if m.injector.Spec.Stamp != v1alpha1.StampAnnotation {
		written = nil
	}
	s := p.work.memory.stamps.lend()
	p.hashes(m).RecordWanted(s, wanted, written, inside)
	return s
}

// finds returns what an injector wants and the app has.
func finds(intents []apply.Intent) []apply.Intent {
	return slices.DeleteFunc(slices.Clone(intents), func(w apply.Intent) bool { return !w.IsApps })
}
