package apply

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// fillAppContainers adds env, envFrom and mounts to the app's own containers, never to those that an injector adds.
func (p *Pod) fillAppContainers(all []injector.Operation) {
	names := 0
	for _, rule := range p.plan.AppContainers {
		names += 1 + len(rule.Names)
	}
	count := len(p.entries(containers)) + len(p.entries(initContainers))
	if !p.Room.Charge(names * count * meter.PerValue) {
		return
	}
	p.reportMissing()
	spec := p.spec()
	for _, list := range pod.ContainerLists {
		entries := spec.fieldAt(list) // owned once: there may be thousands of containers
		for i, container := range p.entries(list) {
			name := node.Text(container, "name")
			if !p.isApps(name) {
				continue
			}
			additions := p.newAdditions(all, name, list == initContainers)
			if len(additions.all) == 0 {
				continue
			}
			env := len(node.List(container, "env")) + len(additions.all) // each is compared with all before it
			steps := len(additions.all) * (meter.PerShared + 2*env*meter.PerEntry)
			if !p.Room.Charge(steps) || p.Room.IsFull() {
				return
			}
			path := p.entryAt(list, i)
			if name == "" {
				p.report(finding.Warning, finding.ContainerMissing, path,
					"%s has no name, so nothing is added to it: a later run could not recognise it; give it a name",
					path)
				continue
			}
			filler := appFiller{
				filler:       filler{Pod: p, container: name, room: p.Room},
				additions:    additions,
				list:         list,
				app:          p.appEntry(list, name),
				joinedBefore: len(p.WantsJoined),
			}
			filler.fill(entries.entryAt(i), path)
		}
	}
}

// reportMissing reports containers that the config names and that the app does not have.
func (p *Pod) reportMissing() {
	for _, rule := range p.plan.AppContainers {
		for _, name := range rule.Names {
			if name == v1alpha1.AllContainers {
				continue
			}
			isPlain := indexOfName(p.entriesOfAll(containers), name) >= 0
			isInit := indexOfName(p.entriesOfAll(initContainers), name) >= 0
			why := "the pod has none of that name"
			switch {
			case !p.isApps(name):
				why = "an injector adds it"
			case isPlain || isInit && rule.IncludeInit:
				continue
			case isInit:
				why = "it is an init container; set includeInit to true"
			}
			p.report(finding.Info, finding.ContainerMissing, p.At("spec."+containers),
				"container %q of spec.appContainers is left out: %s", name, why)
		}
	}
}

// additions are the operations for one container of the app, in the order in which they run. If several entries of
// appContainers have the same variable, source of variables or mount path, the first counts. Variables that are joined
// all count, in the order of the config.
type additions struct {
	all   []injector.Operation
	joins map[string][]injector.Operation // those that join something to a variable, by its name
}

func (p *Pod) newAdditions(all []injector.Operation, name string, isInit bool) additions {
	type key struct {
		list *pod.Row
		key  string
	}
	a := additions{joins: map[string][]injector.Operation{}}
	first := map[key]injector.Operation{}
	var rule *injector.AppContainers
	isFor := false
	for _, op := range all {
		if op.App != rule { // there may be thousands of names
			rule = op.App
			isFor = op.App.Includes(name) && (!isInit || op.App.IncludeInit)
		}
		if !isFor {
			continue
		}
		op = p.plan.ExpandFor(name, op)
		in := key{op.Row, op.Key}
		earlier, isAgain := first[in]
		isJoined := op.Join != nil && (!isAgain || earlier.Join != nil)
		switch {
		case !isAgain:
			first[in] = op
		case isJoined:
			op.Position = earlier.Position
		case op.Key != "" && op.App != earlier.App:
			continue
		}
		if isJoined {
			a.joins[op.Key] = append(a.joins[op.Key], op)
		}
		a.all = append(a.all, op)
	}
	slices.SortStableFunc(a.all, func(a, b injector.Operation) int { return turn(a) - turn(b) })
	return a
}

// turn returns when an operation on a container of the app runs: first come variables in front of the app's own.
func turn(op injector.Operation) int {
	switch {
	case op.Row.Expands && op.Position.IsFront:
		return 0
	case op.Row.Expands:
		return 1
	case op.Row == pod.InContainer("envFrom"):
		return 2
	default:
		return 3
	}
}

// appFiller runs operations on a container of the app.
type appFiller struct {
	filler
	additions

	list         string     // the list that the container is in
	app          *node.Node // the container without what injectors added
	joinedBefore int        // how many parts were joined to variables of the containers before it
	fronts       fronts
}

func (g *appFiller) fill(container editableNode, path string) {
	lists := map[*pod.Row]*list{}
	areLists := true
	for _, op := range g.all {
		if lists[op.Row] != nil {
			continue
		}
		name := op.Row.Name()
		l := g.listAt(container.fieldAt(name), op.Row, path+"."+name, stamp.InSpec(g.list, g.container).Child(name))
		l.before = node.List(l.now)
		lists[op.Row] = l
		if !node.IsNull(l.now) && l.now.Kind != node.SequenceNode {
			areLists = false
			g.report(finding.Error, finding.InvalidItem, l.path,
				"%s must be a list, but is %s", l.path, node.Describe(l.now))
		}
	}
	if !areLists {
		return
	}
	for _, op := range g.all {
		if op.Row.Expands {
			g.addVariable(lists[op.Row], op)
		} else {
			g.fillList(lists[op.Row], op.Value)
		}
	}
}

// addVariable adds a variable at its position, unless the list has it: then it joins the value to that one, or
// settles the conflict with it.
func (g *appFiller) addVariable(env *list, op injector.Operation) {
	entries := len(g.Entries)
	switch present := env.find(op.Value); {
	case present >= 0 && op.Join != nil:
		g.joinVariable(env, present, op)
	case present >= 0:
		g.settleIn(env, present, op.Value)
	default:
		g.insertVariable(env, op)
	}
	for i := entries; i < len(g.Entries); i++ {
		g.Entries[i].Position = op.Position
	}
}

func (g *appFiller) insertVariable(env *list, op injector.Operation) {
	values := []*node.Node{op.Value}
	for _, joined := range g.joins[op.Key] { // all that is joined to the variable counts
		values = append(values, joined.Value)
	}
	entries := len(g.Entries)
	g.insertIn(env, g.position(env.entries(), env.thing(op.Value), op.Position, &g.fronts, values...), op.Value)
	if op.Join == nil {
		return
	}
	g.Entries = g.Entries[:entries] // each injector owns its part of the value
	g.addJoined(g.partOf(op))
}

// behindUsed returns the first index behind all variables that one uses.
func behindUsed(env []*node.Node, variable *node.Node) int {
	index := 0
	for _, name := range pod.UsedVariables(node.Text(variable, "value")) {
		index = max(index, indexOfName(env, name)+1)
	}
	return index
}
