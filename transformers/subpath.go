package transformers

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// takeEnvFor gives the body the variables that a subPathExpr of another container needs, so that
// the path is the same one there. They go behind the body's own, which some of them may refer to.
// Where that cannot be, it says why and changes nothing.
func (t *takeover) takeEnvFor(source *yaml.Node, expr string) (why string) {
	env := node.List(source, "env")
	needed := map[int]bool{}
	missing := collectNeeded(env, expr, len(env), needed)
	present := node.List(t.body, "env")
	for _, name := range missing {
		if named(present, name) < 0 && len(node.List(t.body, "envFrom")) == 0 {
			return "its subPathExpr needs the variable " + name + ", which is not in that container's env; give it to this one"
		}
	}
	added := slices.Clone(present)
	for _, at := range slices.Sorted(maps.Keys(needed)) {
		variable := variableOf(source, env[at])
		name := node.Text(variable, "name")
		switch own := lastNamed(added, name); {
		case own < 0:
			added = append(added, variable)
		case !node.Equal(added[own], variable):
			return "its subPathExpr needs the variable " + name + ", and this one has another value for it; make them equal"
		case !refersBack(added, own, env[:at]):
			return "its subPathExpr needs the variable " + name + ", which refers to others that this one does not have before it; add them"
		}
	}
	if len(added) > len(present) {
		t.setEntries("env", added)
	}
	return ""
}

// refersBack tells whether what a variable refers to, as far as the source has it, stands before it.
func refersBack(env []*yaml.Node, at int, source []*yaml.Node) bool {
	for _, name := range references(node.Text(env[at], "value")) {
		if named(source, name) >= 0 && named(env[:at], name) < 0 {
			return false
		}
	}
	return true
}

// collectNeeded notes the variables that a text refers to, and those that they refer to in turn,
// by their index. A reference sees what stands before it. It returns the names of the text that
// are not there; in the value of a variable such a name stays as it is written.
func collectNeeded(env []*yaml.Node, text string, end int, needed map[int]bool) (missing []string) {
	for _, name := range references(text) {
		at := lastNamed(env[:end], name)
		if at < 0 {
			missing = append(missing, name)
			continue
		}
		if !needed[at] {
			needed[at] = true
			collectNeeded(env, node.Text(env[at], "value"), at, needed)
		}
	}
	return missing
}

// references are the names that a text refers to by $(NAME); $$ is an escaped dollar.
func references(text string) []string {
	var names []string
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 || at+1 == len(text) {
			return names
		}
		next := text[at+1]
		text = text[at+1:]
		switch next {
		case '$':
			text = text[1:]
		case '(':
			if name, rest, closed := strings.Cut(text[1:], ")"); closed {
				names, text = append(names, name), rest
			}
		}
	}
}
