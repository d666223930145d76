package apply

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// appFiller adds its payload to a container of the app.
type appFiller struct {
	merger

	list        string                       // the list that the container is in
	pristine    *yaml.Node                   // the container without what injectors added
	joins       map[*yaml.Node]injector.Join // of the variables that are joined to those of the app
	joined      JoinedEnv                    // what was joined
	wantsJoined JoinedEnv                    // what would have been joined if there were no other injector
	others      JoinedEnv                    // what other injectors joined
}

func newAppFiller(p *Pod, list, container string) *appFiller {
	m := merger{pod: p, onConflict: p.payload.Spec.OnConflict, container: container, room: p.Room}
	return &appFiller{merger: m, list: list, pristine: p.pristine(list)[container], others: p.JoinedByOthers}
}

// try adds the payload to a copy of a container, because owning a container that is an alias writes it out. It returns a function
// that adds the payload to the container itself, or nil if that would change nothing.
func (g *appFiller) try(container *yaml.Node, p appPayload, path string) func(*yaml.Node) {
	if g.findings = wrongLists(container, p, path); len(g.findings) > 0 {
		return nil
	}
	again := *g
	again.room = nil // it is taken once
	g.fillContainer(node.Clone(container), p, path)
	if !g.changed {
		return nil
	}
	return func(owned *yaml.Node) { again.fillContainer(owned, p, path) }
}

func (g *appFiller) fillContainer(container *yaml.Node, p appPayload, path string) {
	before := node.List(container, "env")
	g.changeList(container, "env", path, func(list *yaml.Node, env keyedList) {
		env.before = before
		if len(p.envBefore) > 0 {
			g.prepend(list, p, env)
		}
		g.appendMissing(list, p.envAfter, env)
	})
	g.changeList(container, "envFrom", path, func(list *yaml.Node, in keyedList) { g.fillList(list, p.envFrom, in) })
	g.changeList(container, "volumeMounts", path, func(list *yaml.Node, in keyedList) { g.fillList(list, p.mounts, in) })
}

// changeList changes one list of a container, which is created if it is missing.
func (g *appFiller) changeList(container *yaml.Node, name, path string, fill func(list *yaml.Node, in keyedList)) {
	list := node.Sequence()
	if !node.IsNull(node.Get(container, name)) {
		list = node.Own(container, name)
	}
	wasChanged := g.changed
	g.changed = false
	at := stamp.Thing{Path: thingIn(g.list, g.container).Inside(), Key: name}
	fill(list, keyedList{row: pod.InContainer(name), path: path + "." + name, at: at.Inside()})
	if g.changed {
		node.Set(container, name, list)
	}
	g.changed = g.changed || wasChanged
}

// prepend adds variables in front of the app's own, which may use them, behind those that other injectors added there. A variable
// that the list has stays where it is; one that uses it goes behind it, because Kubernetes expands $(NAME) only if NAME is set
// before.
func (g *appFiller) prepend(into *yaml.Node, p appPayload, list keyedList) {
	own := byName(node.List(g.pristine, "env"))
	isOwn := func(variable *yaml.Node) bool { return own[node.Text(variable, "name")] != nil }
	// beforeOwn returns the index of the app's next variable: behind what injectors added from an index on.
	beforeOwn := func(index int) int {
		if at := slices.IndexFunc(into.Content[index:], isOwn); at >= 0 {
			return index + at
		}
		return len(into.Content)
	}
	next := beforeOwn(0)
	for _, variable := range p.envBefore {
		at := list.row.Find(into.Content, variable)
		if at >= 0 {
			g.settleVariable(into, at, variable, list)
			if at == next {
				next++
			}
			continue
		}
		at = next
		if used := behindUsed(into.Content, p.joinedWith(variable)...); used > next {
			at = beforeOwn(used)
		}
		g.addVariable(into, at, variable, list)
		if at == next {
			next++
		}
	}
}

// appendMissing adds variables behind all others, except those that the list has.
func (g *appFiller) appendMissing(into *yaml.Node, variables []*yaml.Node, list keyedList) {
	for _, variable := range variables {
		if at := list.row.Find(into.Content, variable); at >= 0 {
			g.settleVariable(into, at, variable, list)
			continue
		}
		g.addVariable(into, len(into.Content), variable, list)
	}
}

// settleVariable joins a variable to the one of the same name, or settles the conflict with it.
func (g *appFiller) settleVariable(into *yaml.Node, at int, variable *yaml.Node, list keyedList) {
	if how, isJoined := g.joins[variable]; isJoined {
		g.joinVariable(into, at, variable, how, list)
		return
	}
	g.settle(into, at, variable, list)
}

func (g *appFiller) addVariable(into *yaml.Node, at int, variable *yaml.Node, list keyedList) {
	how, isJoined := g.joins[variable]
	if !isJoined {
		g.insert(into, at, variable, list)
		return
	}
	wanted := g.wishes
	g.insert(into, at, variable, list)
	g.wishes = wanted // each injector owns its part of the value
	g.noteJoined(variable, how)
	g.wantJoined(variable, how)
}

// behindUsed returns the first index behind all variables that these use.
func behindUsed(env []*yaml.Node, variables ...*yaml.Node) int {
	index := 0
	for _, variable := range variables {
		for _, name := range podtemplate.UsedVariables(node.Text(variable, "value")) {
			index = max(index, indexOfName(env, name)+1)
		}
	}
	return index
}

// reportUnexpanded reports variables that use a replaced one, which goes behind them: Kubernetes leaves their $(NAME) as it is.
func (m *merger) reportUnexpanded(before []*yaml.Node, list keyedList, replaced *yaml.Node) {
	name := node.Text(replaced, "name")
	for _, variable := range before {
		if slices.Contains(podtemplate.UsedVariables(node.Text(variable, "value")), name) {
			m.findings = append(m.findings, newFinding(finding.Warning, finding.EnvConflict, list.path,
				"env variable %q of the app's container %q uses $(%s), which is not expanded any more: "+
					"the injector's %s comes after it, because it uses variables further down; "+
					"move those before %s in the manifest, or set spec.onConflict.env to Keep",
				node.Text(variable, "name"), m.container, name, name, name))
		}
	}
}
