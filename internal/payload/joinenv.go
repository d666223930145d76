package payload

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/joined"
	"pillion.dev/pillion/internal/yaml/node"
)

// JoinedEnv is a value that was joined to a variable of one of the app's containers.
type JoinedEnv struct {
	List, Container, Variable string
	Separator                 string
	Part                      joined.Part
}

// isJoined reports whether injectors joined something to a variable of a container.
func (p *Pod) isJoined(container, variable string) bool {
	is := func(j JoinedEnv) bool { return j.Container == container && j.Variable == variable }
	return slices.ContainsFunc(p.Joined, is) || slices.ContainsFunc(p.JoinedByOthers, is)
}

// noteJoined records that a value was joined.
func (g *appFiller) noteJoined(variable *yaml.Node, how injector.Join) {
	g.joined = append(g.joined, JoinedEnv{
		Variable: node.Text(variable, "name"), Separator: how.Separator,
		Part: joined.Part{Text: node.Text(variable, "value"), Before: how.Before},
	})
}

// othersIn returns what was joined to a variable of the container before.
func (g *appFiller) othersIn(variable, separator string) []joined.Part {
	var parts []joined.Part
	for _, j := range slices.Concat(g.others, g.joined) {
		if j.Variable == variable && j.Separator == separator {
			parts = append(parts, j.Part)
		}
	}
	return parts
}

// hasPart reports whether the app's own value of a variable has a part, or whether another injector joined the same. A part of another
// injector that includes it does not count: that one may be removed.
func (g *appFiller) hasPart(variable, value, separator, part string) bool {
	env := node.List(g.pristine, "env")
	if at := indexOfName(env, variable); at >= 0 && joined.Has(node.Text(env[at], "value"), separator, part) {
		return true
	}
	return slices.Contains(joined.Split(value, separator, g.othersIn(variable, separator)), part)
}

// join returns a value with a part, or nil if it could not be split into the same parts again, because they overlap.
func (g *appFiller) join(variable, value string, how injector.Join, text string) *yaml.Node {
	part, others := joined.Part{Text: text, Before: how.Before}, g.othersIn(variable, how.Separator)
	made := joined.Add(value, how.Separator, part, others)
	rest := joined.Remove(made, how.Separator, append(others, part))
	if rest != joined.Remove(value, how.Separator, others) {
		return nil
	}
	return node.String(made)
}

// usedBehind returns the name of a variable of the app that comes after the one of this name, which uses it, or nothing. What other
// injectors add or move does not count, because they may come before or after this one.
func (g *appFiller) usedBehind(env []*yaml.Node, variable *yaml.Node) string {
	name, own := node.Text(variable, "name"), node.List(g.pristine, "env")
	if indexOfName(own, name) >= 0 {
		env = own
	}
	at := indexOfName(env, name)
	for _, used := range references(node.Text(variable, "value")) {
		if indexOfName(own, used) >= 0 && indexOfName(env, used) > at {
			return used
		}
	}
	return ""
}

// joinVariable joins the value of a variable to the one that a list has, unless it is there already.
func (g *appFiller) joinVariable(into *yaml.Node, at int, variable *yaml.Node, how injector.Join, list keyedList) {
	name, part := node.Text(variable, "name"), node.Text(variable, "value")
	present := node.Resolve(into.Content[at])
	value := node.Get(present, "value")
	refuse := func(format string, args ...any) {
		path := list.path + "[" + strconv.Itoa(at) + "]"
		f := newFinding(finding.Error, finding.EnvConflict, path, "env variable %q of the app's container %q "+format,
			append([]any{name, g.container}, args...)...)
		f.Field.Current, f.Field.Proposed = node.Brief(present), node.Brief(variable)
		g.findings = append(g.findings, f)
	}
	isSame := func(entry *yaml.Node) bool { return node.Text(entry, "name") == name }
	switch {
	case !node.IsNull(node.Get(present, "valueFrom")):
		refuse("gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another name, " +
			"such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it")
	case !node.IsNull(value) && (value.Kind != yaml.ScalarNode || value.ShortTag() != "!!str" || node.IsPlainBool(value)):
		refuse("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case slices.ContainsFunc(into.Content[at+1:], isSame):
		refuse("is set twice, so it is not clear what to join to; remove one of the two from the manifest")
	case g.hasPart(name, node.Text(present, "value"), how.Separator, part):
	default:
		if used := g.usedBehind(into.Content, variable); used != "" {
			remedy := "move %[3]q before %[1]q in the manifest"
			if indexOfName(node.List(g.pristine, "env"), name) < 0 { // another injector adds it there
				remedy = "put this injector before the one that adds %[1]q"
			}
			refuse("comes before %q, which the value that is joined to it uses; "+remedy, used)
			return
		}
		text := g.join(name, node.Text(present, "value"), how, part)
		if text == nil {
			refuse("cannot be joined with %q: a later run could not tell that from the other elements of %q; choose another value",
				part, node.Text(present, "value"))
			return
		}
		if value != nil {
			text.Style = value.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
		}
		node.Set(node.OwnEntry(into, at), "value", text)
		g.noteJoined(variable, how)
		g.changed = true
	}
}
