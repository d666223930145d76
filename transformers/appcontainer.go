package transformers

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// giver brings a share into a container, and says what it did.
type appFiller struct {
	merger

	own     *yaml.Node // the container without what injectors put into it
	changes []string
}

func newAppFiller(in *injector.Injector, own *yaml.Node) *appFiller {
	return &appFiller{merger: merger{onConflict: in.Spec.OnConflict, tellsKept: true}, own: own}
}

// try brings a share into a copy of a container, so that one that has everything already is not even
// written out where it is an alias. It returns what brings the share into the container itself, or
// nil where that would change nothing.
func (g *appFiller) try(container *yaml.Node, p appPayload, path string) func(*yaml.Node) {
	if g.findings = wrongLists(container, p, path); len(g.findings) > 0 {
		return nil
	}
	again := *g
	g.give(node.Clone(container), p, path)
	if len(g.changes) == 0 {
		return nil
	}
	return func(owned *yaml.Node) { again.give(owned, p, path) }
}

func (g *appFiller) give(container *yaml.Node, p appPayload, path string) {
	g.container = node.Text(container, "name")
	env, envFrom, mounts := keyedList{"env", path + ".env"}, keyedList{"envFrom", path + ".envFrom"}, keyedList{"volumeMounts", path + ".volumeMounts"}
	g.list(container, "env", "sets %s in", func(list *yaml.Node) {
		if len(p.envBefore) > 0 {
			g.prepend(list, p.envBefore, env)
		}
		g.fillList(list, p.envAfter, env)
	})
	g.list(container, "envFrom", "adds envFrom to", func(list *yaml.Node) { g.fillList(list, p.envFrom, envFrom) })
	g.list(container, "volumeMounts", "mounts %s in", func(list *yaml.Node) { g.fillList(list, p.mounts, mounts) })
}

// list lets one list of a container be changed, which is made where it is missing.
func (g *appFiller) list(container *yaml.Node, name, change string, fill func(list *yaml.Node)) {
	list := node.Sequence()
	if !node.IsNull(node.Get(container, name)) {
		list = node.Own(container, name)
	}
	g.changed, g.put = false, nil
	fill(list)
	if g.changed {
		node.Set(container, name, list)
		g.changes = append(g.changes, strings.Replace(change, "%s", strings.Join(g.put, ", "), 1))
	}
}

// prepend puts variables in front of the app's own, in their order and behind those that injectors have put there, so that the
// app's can use them. What the list has already stays where it is; a variable that uses one of those
// goes behind it, because Kubernetes expands $(NAME) only where NAME was set before.
func (g *appFiller) prepend(into *yaml.Node, variables []*yaml.Node, list keyedList) {
	own := byName(node.List(g.own, "env"))
	isOwn := func(variable *yaml.Node) bool { return own[node.Text(variable, "name")] != nil }
	// beforeOwn is the place behind what injectors have put at a place: what comes first stands first.
	beforeOwn := func(place int) int {
		if at := slices.IndexFunc(into.Content[place:], isOwn); at >= 0 {
			return place + at
		}
		return len(into.Content)
	}
	next := beforeOwn(0)
	for _, variable := range variables {
		at := findKeyed(into.Content, variable, list.name)
		if at >= 0 {
			g.meet(into, at, variable, list)
			if at == next {
				next++
			}
			continue
		}
		at = next
		if used := behindUsed(into.Content, variable); used > next {
			at = beforeOwn(used)
		}
		g.insert(into, at, variable, list)
		if at == next {
			next++
		}
	}
}

// behindUsed is the first place at which all variables stand before that this one uses.
func behindUsed(env []*yaml.Node, variable *yaml.Node) int {
	place := 0
	for _, name := range references(node.Text(variable, "value")) {
		place = max(place, indexOfName(env, name)+1)
	}
	return place
}

// sayBehind tells of variables that use a replaced one, which goes behind them: Kubernetes leaves their $(NAME) as it is.
func (m *merger) reportUnexpanded(before []*yaml.Node, list keyedList, replaced *yaml.Node) {
	name := node.Text(replaced, "name")
	for _, variable := range before {
		if slices.Contains(references(node.Text(variable, "value")), name) {
			m.findings = append(m.findings, newFinding(finding.Warning, finding.EnvConflict, list.path,
				"env variable %q of the app's container %q uses $(%s), which is not expanded any more: "+
					"the injector's %s goes behind it, because it uses variables further down; "+
					"move those in front of %s in the manifest, or set spec.onConflict.env to Keep", node.Text(variable, "name"), m.container, name, name, name))
		}
	}
}
