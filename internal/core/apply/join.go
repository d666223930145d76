package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
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
	return stamp.Joined{
		Variable:  stamp.InSpec(g.list, g.container).Child("env").Child(op.Key),
		Separator: op.Join.Separator,
		Part:      joined.Part{Text: node.Text(op.Value, "value"), Before: op.Join.Before},
	}
}

// addJoined notes that something is joined to a variable. All parts of a variable are one entry.
func (g *appFiller) addJoined(part stamp.Joined) {
	if len(partsOf(g.WantsJoined[g.joinedBefore:], part)) == 0 {
		g.Entries.Join(part.Variable)
	}
	g.WantsJoined = append(g.WantsJoined, part)
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
func (g *appFiller) appHasPart(part stamp.Joined) bool {
	env := node.List(g.app, "env")
	at := indexOfName(env, part.Variable.Key)
	return at >= 0 && joined.Has(node.Text(env[at], "value"), part.Separator, part.Part.Text)
}

// usedBehind returns the name of a variable of the app that a part uses, and that comes after the one that gets the
// part, or nothing. What injectors add or move does not count, because it may come before or after.
func usedBehind(own, env []*node.Node, part stamp.Joined) string {
	among := own
	if indexOfName(own, part.Variable.Key) < 0 { // an injector adds the variable
		among = env
	}
	for _, used := range pods.UsedVariables(part.Part.Text) {
		if indexOfName(own, used) >= 0 && indexOfName(among, used) > indexOfName(among, part.Variable.Key) {
			return used
		}
	}
	return ""
}

// joinVariable joins the value of a variable to the one that the app has, or that the injector adds.
func (g *appFiller) joinVariable(env *list, index int, op injector.Operation) {
	part := g.partOf(op)
	known := partsOf(g.WantsJoined[g.joinedBefore:], part)
	if problem := notJoinable(g.app, env.entries(), index, op.Key); problem != "" {
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	value := node.Get(env.entries()[index], "value")
	g.room.Charge(len(node.Text(value)) * meter.PerByteJoined)
	if g.appHasPart(part) {
		g.Entries.Find(stamp.Part(part.Variable, part.Separator, part.Part.Text), node.String(part.Part.Text))
		return
	}
	g.addJoined(part)
	if slices.Contains(known, part.Part) {
		return
	}
	if used := usedBehind(node.List(g.app, "env"), env.entries(), part); used != "" {
		problem := fmt.Sprintf("comes before %q, which the value that is joined to it uses; "+
			"move %q before %q in the manifest", used, used, op.Key)
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	made, problem := withPart(node.Text(value), part, known)
	if problem != "" {
		g.refuseJoin(part.Variable, op.Value, problem)
		return
	}
	variable := env.entryAt(index)
	node.Set(variable.own(), "value", node.StringLike(value, made))
}

// join joins the injector's parts to the value of a variable beside those of others.
func (w *writer) join(wanted *ledger.Entry) {
	at := wanted.Address
	env := w.at(at.Path)
	alone := w.alone.At(at.Path, at.Key)
	index := w.indexOf(at)
	if index < 0 {
		w.insert(at, w.positionOf(wanted, alone), alone)
		return
	}
	others := w.Owners.Joined(at)
	if len(others) == 0 && w.Owners.Has(at) {
		return // another injector has replaced or set all of it
	}
	container := stamp.ContainerOf(at.Path)
	app := w.AppView
	if problem := notJoinable(app.At(container.Path, container.Key), env.now.Content, index, at.Key); problem != "" {
		w.refuseJoin(at, alone, problem)
		return
	}
	variable := w.at(at.Inside())
	value := node.Get(variable.now, "value")
	text := node.Text(value)
	for _, part := range w.WantsJoined {
		known := partsOf(others, part)
		if part.Variable != at || slices.Contains(known, part.Part) {
			continue
		}
		if used := usedBehind(app.List(at.Path), env.now.Content, part); used != "" {
			problem := fmt.Sprintf("comes before %q, which the value that is joined to it uses; "+
				"put this injector before the one that adds %q", used, at.Key)
			w.refuseJoin(at, alone, problem+w.causedByOthers())
			return
		}
		made, problem := withPart(text, part, known)
		if problem != "" {
			w.refuseJoin(at, alone, problem)
			return
		}
		text = made
		others = append(slices.Clip(others), part)
	}
	if text != node.Text(value) {
		node.Set(variable.own(), "value", node.StringLike(value, text))
	}
}

// withPart returns a value, in which some parts are known, with one more, or why a later run could not find it.
func withPart(value string, part stamp.Joined, known []joined.Part) (made, problem string) {
	app, parts := joined.Remove(value, part.Separator, known)
	parts = append(parts, part.Part)
	if len(parts) > stamp.MaxParts { // of all injectors, because each is searched among the others
		return "", fmt.Sprintf("would have more than %d values joined to it; join fewer", stamp.MaxParts)
	}
	made = joined.Add(app, part.Separator, parts)
	if rest, _ := joined.Remove(made, part.Separator, parts); rest != app {
		return "", fmt.Sprintf("cannot be joined with %q, because the value is %q, in which a later run could "+
			"not find the added part; choose another value", part.Part.Text, value)
	}
	return made, ""
}

// refuseJoin reports why nothing is joined to a variable, once for all entries of the variable.
func (p *Pod) refuseJoin(variable stamp.Address, wanted *node.Node, problem string) {
	before := p.viewBefore()
	f := newFinding(finding.Error, finding.EnvConflict, p.At(before.FieldOf(variable, "")),
		"env variable %q of the app's container %q %s", variable.Key, stamp.ContainerOf(variable.Path).Key, problem)
	f.Field.Current = node.Brief(before.At(variable.Path, variable.Key))
	f.Field.Proposed = node.Brief(wanted)
	p.reportOnce(f)
}

// notJoinable returns why no value can be joined to a variable of a container, or "".
func notJoinable(app *node.Node, env []*node.Node, at int, name string) string {
	value := node.Get(env[at], "value")
	switch {
	case isSharedVariable(app, name):
		return "is written elsewhere, and used here by a YAML alias or merge key, so nothing can be joined to it; " +
			"write out the env list of the container in the manifest"
	case !node.IsNull(node.Get(env[at], "valueFrom")):
		return fmt.Sprintf("gets its value when the pod starts (valueFrom), so nothing can be joined to it; "+
			"in the manifest, give it another name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)
	case !node.IsNull(value) && !node.IsString(value):
		return fmt.Sprintf("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case indexOfName(env[at+1:], name) >= 0:
		return "is set twice, so it is not clear what to join to; remove one of the two from the manifest"
	case value != nil && len(value.Value) > maxJoined:
		return fmt.Sprintf("has a value of %d bytes, and nothing is joined to more than %d; shorten it",
			len(value.Value), maxJoined)
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

// isWrittenHere reports whether no alias or merge key is on the way to a value, which may be missing.
func isWrittenHere(in *node.Node, path ...string) bool {
	for _, key := range path {
		i := node.Index(in, key)
		if i < 0 {
			return node.Get(in, key) == nil
		}
		if in = in.Content[i+1]; in.Kind == node.AliasNode {
			return false
		}
	}
	return true
}
