package payload

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/joined"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// EnvVar is an environment variable of a container, by their names.
type EnvVar struct{ List, Container, Name string }

// JoinedPart is a text that was joined to a value.
type JoinedPart struct {
	joined.Part
	Separator string
}

// JoinedEnv is what was joined to variables of the app's containers, in order.
type JoinedEnv map[EnvVar][]JoinedPart

// Add adds parts of the value of a variable.
func (all *JoinedEnv) Add(variable EnvVar, parts ...JoinedPart) {
	if *all == nil {
		*all = JoinedEnv{}
	}
	(*all)[variable] = append((*all)[variable], parts...)
}

// maxJoined is the longest value that another one is joined to, in bytes: the longest of a variable on Windows.
const maxJoined = 32 << 10

// noteJoined records that a value was joined.
func (g *appFiller) noteJoined(variable *yaml.Node, how injector.Join) {
	g.joined.Add(g.envVar(node.Text(variable, "name")), partOf(variable, how))
}

// wantJoined records that a value would be joined to what the app has.
func (g *appFiller) wantJoined(variable *yaml.Node, how injector.Join) {
	g.wantsJoined.Add(g.envVar(node.Text(variable, "name")), partOf(variable, how))
}

func partOf(variable *yaml.Node, how injector.Join) JoinedPart {
	return JoinedPart{joined.Part{Text: node.Text(variable, "value"), Before: how.Before}, how.Separator}
}

func (g *appFiller) envVar(name string) EnvVar { return EnvVar{g.list, g.container, name} }

// joinedBefore returns what was joined to a variable of the container before.
func (g *appFiller) joinedBefore(name, separator string) []joined.Part {
	var parts []joined.Part
	for _, j := range slices.Concat(g.others[g.envVar(name)], g.joined[g.envVar(name)]) {
		if j.Separator == separator {
			parts = append(parts, j.Part)
		}
	}
	return parts
}

// appHasPart reports whether the app's own value of a variable has a part.
func (g *appFiller) appHasPart(variable, separator, part string) bool {
	env := node.List(g.pristine, "env")
	at := indexOfName(env, variable)
	return at >= 0 && joined.Has(node.Text(env[at], "value"), separator, part)
}

// hasPart reports whether another injector joined a part. A part of another injector that includes it does not count: that one may be
// removed.
func (g *appFiller) hasPart(variable, value, separator, part string) bool {
	return slices.Contains(joined.Split(value, separator, g.joinedBefore(variable, separator)), part)
}

// join returns a value with a part. It fails if that could not be split into the same parts again, because they overlap.
func (g *appFiller) join(variable, value string, how injector.Join, text string) (made string, ok bool) {
	part, others := joined.Part{Text: text, Before: how.Before}, g.joinedBefore(variable, how.Separator)
	made = joined.Add(value, how.Separator, part, others)
	all := append(others, part)
	rest, _ := joined.Remove(made, how.Separator, all, all)
	bare, _ := joined.Remove(value, how.Separator, others, others)
	return made, rest == bare
}

// usedBehind returns the name of a variable of the app that comes after the one of this name, which uses it, or nothing. What other
// injectors add or move does not count, because they may come before or after this one.
func (g *appFiller) usedBehind(env []*yaml.Node, variable *yaml.Node) string {
	name, own := node.Text(variable, "name"), node.List(g.pristine, "env")
	if indexOfName(own, name) >= 0 {
		env = own
	}
	at := indexOfName(env, name)
	for _, used := range podtemplate.UsedVariables(node.Text(variable, "value")) {
		if indexOfName(own, used) >= 0 && indexOfName(env, used) > at {
			return used
		}
	}
	return ""
}

// joinVariable joins the value of a variable to the one that a list has, unless it is there already.
func (g *appFiller) joinVariable(into *yaml.Node, at int, variable *yaml.Node, how injector.Join, list keyedList) {
	name, part := node.Text(variable, "name"), node.Text(variable, "value")
	present, thing := node.Resolve(into.Content[at]), stamp.Thing{Path: list.at, Key: name}
	if app, isOthers := g.pod.inApp(thing, present); isOthers && len(g.others[g.envVar(name)]) == 0 {
		// Another injector has replaced or set all of it, so the two are in conflict, unless the app has the part.
		if app != nil && g.appHasPart(name, how.Separator, part) {
			g.wishes.addApps(stamp.Part(thing, how.Separator, part), node.String(part))
		} else {
			g.wantJoined(variable, how)
		}
		return
	}
	refuse := func(problem string) {
		f := newFinding(finding.Error, finding.EnvConflict, list.place(into, at), "env variable %q of the app's container %q %s",
			name, g.container, problem)
		f.Field.Current, f.Field.Proposed = node.Brief(present), node.Brief(variable)
		if app, isOthers := g.pod.inApp(thing, present); isOthers && app == nil {
			f.Message += CausedByOthers(g.pod.Owners.Names())
		}
		isSame := func(other finding.Finding) bool { return other.Message == f.Message }
		if !slices.ContainsFunc(g.findings, isSame) { // it is said once for all entries of the variable
			g.findings = append(g.findings, f)
		}
	}
	if problem := notJoinable(g.pristine, into.Content, at, name); problem != "" {
		refuse(problem)
		return
	}
	value := node.Text(present, "value")
	if len(value) > maxJoined {
		refuse(fmt.Sprintf("has a value of %d bytes, and nothing is joined to more than %d; shorten it", len(value), maxJoined))
		return
	}
	g.room.Charge(len(value) * meter.PerByteJoined)
	if g.appHasPart(name, how.Separator, part) {
		g.wishes.addApps(stamp.Part(thing, how.Separator, part), node.String(part))
		return
	}
	g.wantJoined(variable, how)
	if g.hasPart(name, value, how.Separator, part) {
		return
	}
	if used := g.usedBehind(into.Content, variable); used != "" {
		remedy := fmt.Sprintf("move %q before %q in the manifest", used, name)
		if indexOfName(node.List(g.pristine, "env"), name) < 0 { // another injector adds it there
			remedy = fmt.Sprintf("put this injector before the one that adds %q", name)
		}
		refuse(fmt.Sprintf("comes before %q, which the value that is joined to it uses; %s", used, remedy))
		return
	}
	text, ok := g.join(name, value, how, part)
	if !ok {
		refuse(fmt.Sprintf("cannot be joined with %q: a later run could not tell that from the other elements of %q; choose another value",
			part, value))
		return
	}
	node.Set(node.OwnEntry(into, at), "value", node.StringLike(node.Get(present, "value"), text))
	g.noteJoined(variable, how)
	g.changed = true
}

// notJoinable returns why no value can be joined to a variable, or "". The container is as the app has it.
func notJoinable(container *yaml.Node, env []*yaml.Node, at int, name string) string {
	value := node.Get(env[at], "value")
	switch {
	case isSharedVariable(container, name):
		return "is written elsewhere, and used here by a YAML alias or merge key, so nothing can be joined to it; " +
			"write out the env list of the container in the manifest"
	case !node.IsNull(node.Get(env[at], "valueFrom")):
		return fmt.Sprintf("gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another "+
			"name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)
	case !node.IsNull(value) && !node.IsString(value):
		return fmt.Sprintf("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case indexOfName(env[at+1:], name) >= 0:
		return "is set twice, so it is not clear what to join to; remove one of the two from the manifest"
	}
	return ""
}

// isSharedVariable reports whether a container has a variable, or its value, by an alias or a merge key. A part of such a value would not
// have a text of its own, so it could not be told from the rest.
func isSharedVariable(container *yaml.Node, name string) bool {
	at := indexOfName(node.List(container, "env"), name)
	if at < 0 {
		return false
	}
	variable := node.Get(container, "env").Content[at]
	list, value := node.Index(container, "env"), node.Index(variable, "value")
	return list < 0 || container.Content[list+1].Kind == yaml.AliasNode || // the list
		variable.Kind == yaml.AliasNode ||
		value < 0 && node.Get(variable, "value") != nil || // a merge key has it
		value >= 0 && variable.Content[value+1].Kind == yaml.AliasNode
}
