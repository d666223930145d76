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
	for _, list := range pod.ContainerLists {
		for i, container := range node.List(p.Spec(), list) {
			name := node.Text(container, "name")
			if !p.isApps(name) {
				continue
			}
			additions := p.additionsTo(all, name, list == initContainers)
			if len(additions) == 0 {
				continue
			}
			env := len(node.List(container, "env")) + len(additions) // each is compared with all before it
			steps := len(additions) * (meter.PerShared + 2*env*meter.PerEntry)
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
				filler: filler{Pod: p, container: name},
				all:    additions,
				list:   list,
				app:    p.appEntry(list, name),
				before: len(p.Entries),
			}
			filler.fill(node.Resolve(container), path)
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

// additionsTo returns the operations for one container of the app, in the order in which they run. If several entries of
// appContainers have the same variable, source of variables or mount path, the first counts. Variables that are joined
// all count, in the order of the config.
func (p *Pod) additionsTo(all []injector.Operation, name string, isInit bool) (additions []injector.Operation) {
	type key struct {
		list *pod.Row
		key  string
	}
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
		additions = append(additions, op)
	}
	slices.SortStableFunc(additions, func(a, b injector.Operation) int { return turn(a) - turn(b) })
	return additions
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

	all    []injector.Operation
	list   string     // the list that the container is in
	app    *node.Node // the container without what any injector or transformer added
	before int        // how many entries the injector wanted before
}

func (g *appFiller) fill(container *node.Node, path string) {
	lists := map[*pod.Row]*list{}
	areLists := true
	for _, op := range g.all {
		if lists[op.Row] != nil {
			continue
		}
		name := op.Row.Name()
		field := node.Get(container, name)
		l := g.listAt(field, op.Row, stamp.InSpec(g.list, g.container).Child(name))
		lists[op.Row] = l
		if !node.IsNull(field) && field.Kind != node.SequenceNode {
			areLists = false
			at := path + "." + name
			g.report(finding.Error, finding.InvalidItem, at, "%s must be a list, but is %s", at, node.Describe(field))
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

// addVariable adds a variable, unless the list has it: then it joins the value to that one, or settles the conflict
// with it.
func (g *appFiller) addVariable(env *list, op injector.Operation) {
	entries := len(g.Entries)
	switch present := env.find(op.Value); {
	case present >= 0 && op.Join != nil:
		g.joinVariable(env, present, op)
	case present >= 0:
		g.settleIn(env, present, op.Value)
	case op.Join != nil:
		g.joinNewVariable(env, op)
	default:
		g.addIn(env, op.Value)
	}
	for i := entries; i < len(g.Entries); i++ {
		g.Entries[i].Position = op.Position
	}
}

// behindUsed returns the first index behind all variables that one uses.
func behindUsed(env []*node.Node, variable *node.Node) int {
	index := 0
	for _, name := range pod.UsedVariables(node.Text(variable, "value")) {
		index = max(index, indexOfName(env, name)+1)
	}
	return index
}
