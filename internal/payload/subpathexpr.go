package payload

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// variableCopier copies the variables of one container that a subPathExpr needs in another, so that the path is the same
// there. Each variable is checked once, however many mounts need it.
type variableCopier struct {
	source      *yaml.Node
	env         []*yaml.Node
	first, last map[string]int // the first and last index of each name in env
	into        *recipient
	hasEnvFrom  bool           // the source has envFrom, whose names are not known here
	sameEnvFrom bool           // both containers have the same envFrom, or none
	checked     map[int]string // why a variable cannot be copied, by its index; empty if it can
}

func newVariableCopier(source *yaml.Node, into *recipient) *variableCopier {
	envFrom := node.List(source, "envFrom")
	c := &variableCopier{
		source: source, env: node.List(source, "env"), into: into,
		first: map[string]int{}, last: map[string]int{}, checked: map[int]string{},
		hasEnvFrom: len(envFrom) > 0, sameEnvFrom: slices.EqualFunc(envFrom, node.List(into.body, "envFrom"), node.Equal),
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

// copyFor adds to the body the variables that a subPathExpr of the source needs, behind the body's own, which some of them may
// refer to. If that is not possible, it returns why and changes nothing.
func (c *variableCopier) copyFor(expr string) (why string) {
	names := podtemplate.UsedVariables(expr)
	for _, name := range names {
		if _, set := c.first[name]; !set {
			why = c.unset(name)
		} else {
			why = c.check(c.last[name])
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

// unset returns why a name that is not in the source's env cannot be used in the body; "" if it can.
func (c *variableCopier) unset(name string) (why string) {
	if _, own := c.into.ownEnv()[name]; own || c.hasEnvFrom && c.sameEnvFrom {
		return ""
	}
	return name + ", which is not in that container's env; give it to this one"
}

// check returns why a variable, with all that it refers to, would have another value in the body; "" if it would not.
func (c *variableCopier) check(at int) (why string) {
	why, known := c.checked[at]
	if known {
		return why
	}
	name, value := node.Text(c.env[at], "name"), node.Text(c.env[at], "value")
	index, own := c.into.ownEnv()[name]
	if own && !node.Equal(c.into.env[index], variableOf(c.source, c.env[at])) {
		why = name + ", and this one has another value for it; make them equal"
	}
	for _, used := range podtemplate.UsedVariables(value) {
		if why != "" {
			break
		}
		if _, set := c.first[used]; own && set && !c.into.setsBefore(used, index) {
			why = name + ", which refers to others that this one does not have before it; add them"
			break
		}
		why = c.checkReference(name, used, at)
	}
	c.checked[at] = why
	return why
}

// checkReference is check for a reference in the value of a variable, which sees only what is set before it.
func (c *variableCopier) checkReference(name, used string, at int) (why string) {
	first, set := c.first[used]
	switch {
	case set && c.last[used] < at:
		return c.check(c.last[used])
	case set && first < at:
		return used + ", which that container sets more than once; set it once"
	case set:
		return name + ", which refers to " + used + " before that container sets it; change their order"
	case c.hasEnvFrom:
		return c.unset(used)
	}
	// The reference stays as it is written, unless the other container has a value for it.
	if _, own := c.into.ownEnv()[used]; own || !c.sameEnvFrom {
		return name + ", which refers to " + used +
			", and this one may have a value for that while that container has none; rename one of them"
	}
	return ""
}

// collect adds the indexes of the variables of these names that the body does not have, and of those that they refer to.
func (c *variableCopier) collect(names []string, needed map[int]bool) {
	for _, name := range names {
		at, set := c.last[name]
		if _, own := c.into.ownEnv()[name]; own || !set || needed[at] {
			continue
		}
		needed[at] = true
		c.collect(podtemplate.UsedVariables(node.Text(c.env[at], "value")), needed)
	}
}

// ownEnv returns the indexes of the body's variables by name. If a name is set twice, the last counts.
func (r *recipient) ownEnv() map[string]int {
	if r.envIndex == nil {
		r.envIndex = map[string]int{}
		for _, variable := range node.List(r.body, "env") {
			r.addEnv(variable)
		}
	}
	return r.envIndex
}

func (r *recipient) addEnv(variable *yaml.Node) {
	r.envIndex[node.Text(variable, "name")] = len(r.env)
	r.env = append(r.env, variable)
}

// setsBefore reports whether the body sets a variable before an index.
func (r *recipient) setsBefore(name string, index int) bool {
	at, set := r.ownEnv()[name]
	return set && at < index
}

// setEnv writes the variables that mounts need into the body.
func (r *recipient) setEnv() {
	if len(r.env) > len(node.List(r.body, "env")) {
		r.setEntries("env", r.env)
	}
}
