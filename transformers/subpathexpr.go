package transformers

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// carrier finds the variables of one container that a subPathExpr needs in another, so that the
// path is the same one there. Each variable is looked at once, however many mounts need it.
type variableCopier struct {
	source      *yaml.Node
	env         []*yaml.Node
	first, last map[string]int // where a name is set first and last
	into        *fromApp
	hasFrom     bool           // whether the source has envFrom, whose names are not known here
	sameFrom    bool           // whether both containers have the same envFrom, or none
	judged      map[int]string // why a variable cannot be carried; empty where it can
}

func (t *fromApp) newVariableCopier(source *yaml.Node) *variableCopier {
	envFrom := node.List(source, "envFrom")
	c := &variableCopier{
		source: source, env: node.List(source, "env"), into: t,
		first: map[string]int{}, last: map[string]int{}, judged: map[int]string{},
		hasFrom: len(envFrom) > 0, sameFrom: slices.EqualFunc(envFrom, node.List(t.body, "envFrom"), node.Equal),
	}
	for i, variable := range c.env {
		name := node.Text(variable, "name")
		if _, set := c.first[name]; !set {
			c.first[name] = i
		}
		c.last[name] = i
	}
	return c
}

// carry gives the body the variables that a subPathExpr of the source needs. They go behind the
// body's own, which some of them may refer to. Where that cannot be, it returns why and changes nothing.
func (c *variableCopier) carry(expr string) (why string) {
	names := references(expr)
	for _, name := range names {
		if _, set := c.first[name]; !set {
			why = c.unset(name)
		} else {
			why = c.judge(c.last[name])
		}
		if why != "" {
			return "its subPathExpr needs the variable " + why
		}
	}
	needed := map[int]bool{}
	c.collect(names, needed)
	for _, at := range slices.Sorted(maps.Keys(needed)) {
		c.into.addEnv(variableOf(c.source, c.env[at]))
	}
	return ""
}

// unset says why a name that the source's env does not have cannot be used in the body.
func (c *variableCopier) unset(name string) (why string) {
	if _, own := c.into.ownEnv()[name]; own || c.hasFrom && c.sameFrom {
		return ""
	}
	return name + ", which is not in that container's env; give it to this one"
}

// judge says why a variable, with all that it refers to, would have another value in the body.
func (c *variableCopier) judge(at int) (why string) {
	why, known := c.judged[at]
	if known {
		return why
	}
	name, value := node.Text(c.env[at], "name"), node.Text(c.env[at], "value")
	place, own := c.into.ownEnv()[name]
	if own && !node.Equal(c.into.env[place], variableOf(c.source, c.env[at])) {
		why = name + ", and this one has another value for it; make them equal"
	}
	for _, used := range references(value) {
		if why != "" {
			break
		}
		if _, set := c.first[used]; own && set && !c.into.setsBefore(used, place) {
			why = name + ", which refers to others that this one does not have before it; add them"
			break
		}
		why = c.follow(name, used, at)
	}
	c.judged[at] = why
	return why
}

// follow judges a reference in the value of a variable, which sees only what is set before it.
func (c *variableCopier) follow(name, used string, at int) (why string) {
	first, set := c.first[used]
	switch {
	case set && c.last[used] < at:
		return c.judge(c.last[used])
	case set && first < at:
		return used + ", which that container sets more than once; set it once"
	case set:
		return name + ", which refers to " + used + " before that container sets it; change their order"
	case c.hasFrom:
		return c.unset(used)
	}
	// The reference stays as it is written, unless the other container has a value for it.
	if _, own := c.into.ownEnv()[used]; own || !c.sameFrom {
		return name + ", which refers to " + used + ", and this one may have a value for that while that container has none; rename one of them"
	}
	return ""
}

// collect notes the variables that names stand for and the body does not have, and those that they refer to.
func (c *variableCopier) collect(names []string, needed map[int]bool) {
	for _, name := range names {
		at, set := c.last[name]
		if _, own := c.into.ownEnv()[name]; own || !set || needed[at] {
			continue
		}
		needed[at] = true
		c.collect(references(node.Text(c.env[at], "value")), needed)
	}
}

// ownEnv returns the places of the body's variables, by name; of those that stand twice the last counts.
func (t *fromApp) ownEnv() map[string]int {
	if t.places == nil {
		t.places = map[string]int{}
		for _, variable := range node.List(t.body, "env") {
			t.addEnv(variable)
		}
	}
	return t.places
}

func (t *fromApp) addEnv(variable *yaml.Node) {
	t.places[node.Text(variable, "name")] = len(t.env)
	t.env = append(t.env, variable)
}

// setsBefore reports whether the body sets a variable before a place.
func (t *fromApp) setsBefore(name string, place int) bool {
	at, set := t.ownEnv()[name]
	return set && at < place
}

// setEnv writes the variables that mounts need into the body.
func (t *fromApp) setEnv() {
	if len(t.env) > len(node.List(t.body, "env")) {
		t.setEntries("env", t.env)
	}
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
			name, rest, closed := strings.Cut(text[1:], ")")
			if !closed { // and neither is any later one
				return names
			}
			names, text = append(names, name), rest
		}
	}
}
