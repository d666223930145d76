package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// partOf returns what an operation joins to a variable of the container.
func (g *appFiller) partOf(op injector.Operation) stamp.Joined {
	return stamp.Joined{
		Variable:  stamp.InSpec(g.list, g.container).Child("env").Child(op.Key),
		Separator: op.Join.Separator,
		Part:      joined.Part{Text: node.Text(op.Value, "value"), Before: op.Join.Before},
	}
}

// appHasPart reports whether the app's own value of a variable has a part.
func (g *appFiller) appHasPart(part stamp.Joined) bool {
	env := node.List(g.app, "env")
	at := indexOfName(env, part.Variable.Key)
	return at >= 0 && joined.Has(node.Text(env[at], "value"), part.Separator, part.Part.Text)
}

// joinNewVariable adds a variable that the app does not have. Each injector owns its part of the value.
func (g *appFiller) joinNewVariable(env *list, op injector.Operation) {
	if g.Room.Take(node.Weight(op.Value)) {
		env.add(op.Value)
		g.Entries.Join(g.before, g.partOf(op), op.Value)
	}
}

// joinVariable joins the value of a variable to the one that the app has, or that the injector adds.
func (g *appFiller) joinVariable(env *list, index int, op injector.Operation) {
	part := g.partOf(op)
	var known []joined.Part
	if earlier := g.Entries.JoinOf(g.before, part.Variable); earlier != nil {
		known = earlier.Parts
	}
	if problem := version.NotJoinable(g.app, env.entries, index, op.Key); problem != "" {
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	value := node.Get(env.entries[index], "value")
	g.Room.Charge(len(node.Text(value)) * meter.PerByteJoined)
	if g.appHasPart(part) {
		g.Entries.Find(stamp.Part(part.Variable, part.Separator, part.Part.Text), node.String(part.Part.Text))
		return
	}
	if slices.Contains(known, part.Part) || !g.Room.Take(len(part.Part.Text)) {
		return
	}
	g.Entries.Join(g.before, part, nil)
	if used := version.UsedBehind(node.List(g.app, "env"), env.entries, part); used != "" {
		problem := fmt.Sprintf("comes before %q, which the value that is joined to it uses; "+
			"move %q before %q in the manifest", used, used, op.Key)
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	made, problem := version.WithPart(node.Text(value), part, known)
	if problem != "" {
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	variable := node.Clone(node.Resolve(env.entries[index]))
	node.Set(variable, "value", node.StringLike(value, made))
	env.replace(index, variable)
}

// refuseJoin reports why nothing is joined to a variable, once for all entries of the variable.
func (p *Pod) refuseJoin(variable stamp.Address, wanted *node.Node, problem string) {
	p.reportOnce(version.RefusedJoin(p.Template, p.viewBefore(), variable, wanted, problem))
}
