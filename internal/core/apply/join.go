package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// maxJoined is the longest value that another one is joined to, in bytes: the longest of a variable on Windows.
const maxJoined = 32 << 10

// partOf returns what an operation joins to a variable of the container.
func (g *appFiller) partOf(op injector.Operation) stamp.Joined {
	part := joined.Part{Text: node.Text(op.Value, "value"), Before: op.Join.Before}
	return stamp.Joined{Variable: stamp.InSpec(g.list, g.container).Child("env").Child(op.Key), Separator: op.Join.Separator, Part: part}
}

// partsOf returns the texts that were joined to the variable that a part is for.
func partsOf(all []stamp.Joined, part stamp.Joined) []joined.Part {
	var parts []joined.Part
	for _, j := range all {
		if j.Variable == part.Variable && j.Separator == part.Separator {
			parts = append(parts, j.Part)
		}
	}
	return parts
}

// appHasPart reports whether the app's own value of a variable has a part.
func (g *appFiller) appHasPart(variable string, part stamp.Joined) bool {
	env := node.List(g.app, "env")
	at := indexOfName(env, variable)
	return at >= 0 && joined.Has(node.Text(env[at], "value"), part.Separator, part.Part.Text)
}

// usedBehind returns the name of a variable of the app that comes after the one at an index, which gets a part that
// uses it, or nothing. What injectors add or move does not count, because it may come before or after.
func usedBehind(own, env []*node.Node, index int, part string) string {
	for _, used := range pods.UsedVariables(part) {
		if indexOfName(own, used) >= 0 && indexOfName(env, used) > index {
			return used
		}
	}
	return ""
}

// joinVariable joins the value of a variable to the one that a list has, unless it is there already.
func (g *appFiller) joinVariable(env *list, index int, op injector.Operation) {
	name := op.Key
	part := g.partOf(op)
	present := node.Resolve(env.entries()[index])
	value := node.Text(present, "value")
	others := partsOf(g.joined, part)
	if problem := notJoinable(g.app, env.entries(), index, name); problem != "" {
		g.refuseJoin(env, index, op, problem)
		return
	}
	g.room.Charge(len(value) * meter.PerByteJoined)
	if g.appHasPart(name, part) {
		g.Entries.Find(stamp.Part(part.Variable, part.Separator, part.Part.Text), node.String(part.Part.Text))
		return
	}
	g.WantsJoined = append(g.WantsJoined, part)
	g.Entries.Join(part.Variable)
	if slices.Contains(joined.Split(value, part.Separator, others), part.Part.Text) {
		return
	}
	own := node.List(g.app, "env")
	among := own
	if indexOfName(own, name) < 0 { // this injector adds the variable
		among = env.entries()
	}
	if used := usedBehind(own, among, indexOfName(among, name), part.Part.Text); used != "" {
		g.refuseJoin(env, index, op, fmt.Sprintf("comes before %q, which the value that is joined to it uses; move %q before %q in the manifest",
			used, used, name))
		return
	}
	made, isClear := withPart(value, part, others)
	if !isClear {
		g.refuseJoin(env, index, op, overlaps(part, value))
		return
	}
	variable := env.entryAt(index)
	node.Set(variable.own(), "value", node.StringLike(node.Get(present, "value"), made))
	g.joined = append(g.joined, part)
}

// withPart returns a value with a part joined to it, and whether a later run can find the part among the others.
func withPart(value string, part stamp.Joined, others []joined.Part) (made string, isClear bool) {
	made = joined.Add(value, part.Separator, part.Part, others)
	all := slices.Concat(others, []joined.Part{part.Part})
	rest, _ := joined.Remove(made, part.Separator, all, all)
	bare, _ := joined.Remove(value, part.Separator, others, others)
	return made, rest == bare
}

func overlaps(part stamp.Joined, value string) string {
	return fmt.Sprintf("cannot be joined with %q, because the value is %q, in which a later run could "+
		"not find the added part; choose another value", part.Part.Text, value)
}

// refuseJoin reports why nothing is joined to a variable, once for all entries of the variable.
func (g *appFiller) refuseJoin(env *list, index int, op injector.Operation, problem string) {
	f := newFinding(finding.Error, finding.EnvConflict, g.pathOf(env, index), "env variable %q of the app's container %q %s",
		op.Key, g.container, problem)
	f.Field.Current, f.Field.Proposed = node.Brief(node.Resolve(env.entries()[index])), node.Brief(op.Value)
	g.reportOnce(f)
}

// notJoinable returns why no value can be joined to a variable of a container, or "".
func notJoinable(app *node.Node, env []*node.Node, at int, name string) string {
	value := node.Get(env[at], "value")
	switch {
	case isSharedVariable(app, name):
		return "is written elsewhere, and used here by a YAML alias or merge key, so nothing can be joined to it; " +
			"write out the env list of the container in the manifest"
	case !node.IsNull(node.Get(env[at], "valueFrom")):
		return fmt.Sprintf("gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another "+
			"name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)
	case !node.IsNull(value) && !node.IsString(value):
		return fmt.Sprintf("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case indexOfName(env[at+1:], name) >= 0:
		return "is set twice, so it is not clear what to join to; remove one of the two from the manifest"
	case value != nil && len(value.Value) > maxJoined:
		return fmt.Sprintf("has a value of %d bytes, and nothing is joined to more than %d; shorten it", len(value.Value), maxJoined)
	}
	return ""
}

// isSharedVariable reports whether a container has a variable, or its value, by an alias or a merge key. A part of such
// a value would not have a text of its own, so it could not be told from the rest.
func isSharedVariable(container *node.Node, name string) bool {
	at := indexOfName(node.List(container, "env"), name)
	if at < 0 {
		return false
	}
	variable := node.Get(container, "env").Content[at]
	return !isWrittenHere(container, "env") || variable.Kind == node.AliasNode || !isWrittenHere(variable, "value")
}
