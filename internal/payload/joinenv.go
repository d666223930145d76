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
	case !node.IsNull(value) && (value.Kind != yaml.ScalarNode || value.ShortTag() != "!!str"):
		refuse("is %s, so nothing can be joined to it; make it a string", node.Describe(value))
	case slices.ContainsFunc(into.Content[at+1:], isSame):
		refuse("is set twice, so it is not clear what to join to; remove one of the two from the manifest")
	case joined.Has(node.Text(present, "value"), how.Separator, part):
	default:
		if used := behindUsed(into.Content, variable); used > at {
			refuse("comes before %q, which the value that is joined to it uses; move %[3]q before %[1]q in the manifest",
				node.Text(into.Content[used-1], "name"))
			return
		}
		others := g.othersIn(name, how.Separator)
		text := node.String(joined.Add(node.Text(present, "value"), how.Separator, joined.Part{Text: part, Before: how.Before}, others))
		if value != nil {
			text.Style = value.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
		}
		node.Set(node.OwnEntry(into, at), "value", text)
		g.noteJoined(variable, how)
		g.changed = true
	}
}
