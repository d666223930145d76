package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// joinedPart is a value that an injector joins to a variable of the app.
type joinedPart struct {
	appEntry

	in *compiled
}

// joinValues joins values to variables. The steps before have added the variables that the app does not have, with an empty value.
//
// The result of all parts is one expression: those before the app's value in their order, the app's value, those after it. findShared
// refuses configs with parts that overlap, for which Pillion would have to split the value again.
func (c *compiler) joinValues(l *appList, entries [][]appEntry) {
	parts := map[string][]joinedPart{}
	var names []string
	for i, ofInjector := range entries {
		for _, e := range ofInjector {
			if e.join == nil {
				continue
			}
			if parts[e.key] == nil {
				names = append(names, e.key)
			}
			parts[e.key] = append(parts[e.key], joinedPart{e, &c.injectors[i]})
		}
	}
	for _, name := range names {
		c.joinTo(l, name, parts[name])
	}
}

// joinTo joins values to one variable.
func (c *compiler) joinTo(l *appList, name string, parts []joinedPart) {
	variable, quoted, separator := fmt.Sprintf("%s_env_%s", l.of.name, identifier(name)), quote(name), quote(parts[0].join.Separator)
	own := c.add(variable+"_own", fmt.Sprintf("the app's own value of %s in each container; empty if it has none", name),
		fmt.Sprintf("%s.map(env,\n  (env.filter(v, v.name == %s).map(v, v.?value.orValue(\"\")) + [\"\"])[0])", l.original, quoted))
	open := c.add(variable+"_open", fmt.Sprintf("whether something can be joined to it: %s is set once at most, and not by valueFrom", name),
		fmt.Sprintf("%[1]s.map(env,\n  size(env.filter(v, v.name == %[2]s)) <= 1 && !env.exists(v, v.name == %[2]s && has(v.valueFrom)))",
			l.original, quoted))
	var before, after []string
	for i, part := range parts {
		expression := c.joinedPart(l, part, parts[:i], quoted)
		switch {
		case expression == "": // an earlier one is the same
		case part.join.Before:
			before = append(before, expression)
		default:
			after = append(after, expression)
		}
	}
	all := append(append(before, `(value == "" ? [] : [value])`), after...)
	joined := c.add(variable+"_joined", fmt.Sprintf("its value with what injectors join to it, except for what it has already between two %s",
		separator), fmt.Sprintf("%s.transformList(i, value, !%s[i] ? value :\n  (%s).join(%s))",
		own, open, strings.Join(all, " +\n  "), separator))
	c.addStep(l, variable, "the lists with this value of "+name, fmt.Sprintf(
		"%[1]s[i] == %[2]s[i] ? env :\n  env.map(v, v.name != %[3]s ? v :\n    {\"name\": dyn(%[3]s), \"value\": dyn(%[1]s[i])})",
		joined, own, quoted))
}

// joinedPart returns the expression for a list with a part, which is empty if the app's value has the part, an earlier part is the same, or
// the part uses a variable that the app sets behind the one that it is joined to: Pillion refuses the pod then.
func (c *compiler) joinedPart(l *appList, part joinedPart, earlier []joinedPart, name string) string {
	conditions := []string{c.isFor(l, part.in, part.appEntry)}
	for _, other := range earlier {
		if node.Text(other.body, "value") != node.Text(part.body, "value") {
			continue
		}
		if other.in == part.in && other.condition == part.condition {
			return ""
		}
		conditions = append(conditions, "!"+c.isFor(l, other.in, other.appEntry))
	}
	text, separator := literal(node.Get(part.body, "value")), quote(part.join.Separator)
	conditions = append(conditions, fmt.Sprintf("!(%[1]s + value + %[1]s).contains(%[1]s + %[2]s + %[1]s)", separator, text))
	if used := part.uses(); len(used) > 0 {
		conditions = append(conditions, fmt.Sprintf("(!(%[1]s in %[2]s[i]) || %[3]s.all(u, %[2]s[i].indexOf(u) < %[2]s[i].indexOf(%[1]s)))",
			name, l.names, stringList(used)))
	}
	return fmt.Sprintf("(%s ?\n    [%s] : [])", all(conditions), text)
}
