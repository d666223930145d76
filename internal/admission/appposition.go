package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// prependVariables adds variables in front of the app's own, which may use them, as [payload.appFiller] does. If the list begins with
// variables that the injector has as well, in the same order, these stay, and what follows them in the injector is added behind them.
func (c *compiler) prependVariables(l *appList, in *compiled, entries []appEntry) {
	isAlone := func(e appEntry) bool {
		return e.isReplaced(in.Injector) || len(c.usedBy(l, in, e, entries)) > 0
	}
	next := "0"
	for n, group := range groups(entries, isAlone) {
		if n == 0 && l.current != l.original {
			next = c.add(l.nextName(in)+"_start", "where the app's own variables begin, behind those of other injectors", fmt.Sprintf(
				"%s.transformList(i, env,\n  (env.transformList(j, v, v.name in %s[i], j) + [size(env)])[0])", l.current, l.names)) + "[i]"
		}
		if isAlone(group[0]) {
			next = c.placeVariable(l, in, group[0], next, entries)
		} else {
			next = c.prependGroup(l, in, group, next)
		}
	}
}

// prependGroup adds variables that use no others, and returns the expression for the index behind them.
func (c *compiler) prependGroup(l *appList, in *compiled, group []appEntry, next string) string {
	name, before, isTarget := l.nextName(in), l.current, c.isFor(l, in, group[0])
	present, keys := c.namesIn(l, name), keysOf(group)
	known, front, start := "env.map(v, %s.indexOf(v.name))", "", ""
	if next != "0" {
		known = "env.transformList(j, v, j >= " + next + ", %s.indexOf(v.name))"
		front, start = "env.transformList(j, v, j < "+next+", v) +\n  ", next+" + "
	}
	order := c.add(name+"_order", fmt.Sprintf("the place of each variable among those that %s adds, or -1 if it is not one of them", in.Name),
		fmt.Sprintf("%s.transformList(i, env, !%s ? [] :\n  "+known+")", l.current, isTarget, stringList(keys)))
	count := c.add(name+"_count", "how many variables at the beginning are in that order: they stay there, and others are added between them",
		fmt.Sprintf("%s.map(order,\n  (order.transformList(k, n, n < 0 || k > 0 && n <= order[k-1], k) + [size(order)])[0])", order))
	kept := c.add(name+"_kept", "the places of these variables",
		fmt.Sprintf("%s.transformList(i, order, order.transformList(k, n, k < %s[i], n))", order, count)) + "[i]"
	added := make([]string, len(group))
	for i, e := range group {
		added[i] = fmt.Sprintf("(%[1]d in %[2]s ?\n    [env[%[3]s%[2]s.indexOf(%[1]d)]] :\n"+
			"    %[4]s in %[5]s ? [] : [%[6]s])",
			i, kept, start, quote(e.key), present, l.entry(e))
	}
	comment := fmt.Sprintf("the lists after %s has put what each lacks of %s in front of the app's own variables", in.Name, enumeration(keys))
	c.addStep(l, name, comment,
		fmt.Sprintf("!%s || %s.all(name, name in %s) ? env :\n  %s%s +\n  env.transformList(j, v, j >= %ssize(%s), v)",
			isTarget, stringList(keys), present, front, strings.Join(added, " +\n  "), start, kept))
	return c.add(name+"_next", "where the next variable goes", fmt.Sprintf("%s.transformList(i, env,\n  %ssize(%s) + size(env) - size(%s[i]))",
		l.current, start, kept, before)) + "[i]"
}

// placeVariable adds a variable that uses others behind these, or replaces one of the app, and returns the expression for the index at
// which the next one is added.
func (c *compiler) placeVariable(l *appList, in *compiled, e appEntry, next string, entries []appEntry) string {
	before := l.current
	at, has, place := c.placeEntry(l, in, e, next, entries)
	return c.add(l.stepName(in)+"_next", "where the next variable goes", fmt.Sprintf(
		"%[1]s.transformList(i, env, !%[2]s ? %[3]s :\n  (%[4]s ? %[5]s : %[6]s[i]) ==\n  %[3]s ? %[3]s + 1 : %[3]s)",
		before, c.isFor(l, in, e), next, has, place, at)) + "[i]"
}

// placeEntry adds one entry at an index, or behind the variables that it uses, or replaces the one of the app. It returns the variable with
// the index in each container, and the expressions for whether container i has an entry with this key, and for its index.
func (c *compiler) placeEntry(l *appList, in *compiled, e appEntry, index string, entries []appEntry) (at, has, place string) {
	v, list, name, isTarget := l.item(), l.field, l.nextName(in), c.isFor(l, in, e)
	has, place = fmt.Sprintf("%s.exists(%s, %s)", list, v, e.hasKey(v)), fmt.Sprintf("%s.transformList(j, %s, %s, j)[0]", list, v, e.hasKey(v))
	names := ""
	if list == "env" {
		names = c.namesIn(l, name)
		has, place = fmt.Sprintf("%s in %s", quote(e.key), names), fmt.Sprintf("%s.indexOf(%s)", names, quote(e.key))
	}
	others, rest, stays := list, "", has // others has the entries before it, and the rest excludes further ones with its key
	if e.isReplaced(in.Injector) {
		rest = fmt.Sprintf(" && !(%s)", e.hasKey(v))
		same := e.isSame(v)
		if holdsExpression(e.body, perTag) {
			same = fmt.Sprintf("%s.all(c, %s)", l.container(), same)
		}
		stays = fmt.Sprintf("(%s &&\n    [%s[%s]].all(%s,\n      %s))", has, list, place, v, same)
		names += ".filter(n, n != " + quote(e.key) + ")"
	}
	behind := ""
	if used := c.usedBy(l, in, e, entries); len(used) > 0 {
		behind = c.add(name+"_behind", fmt.Sprintf("the index behind the variables that %s uses", e.key), fmt.Sprintf(
			"%s.transformList(i, env,\n  ([0] + (%s).map(used, %s.indexOf(used) + 1)).max())",
			l.current, strings.Join(used, " + "), names)) + "[i]"
	}
	if behind != "" && e.rule.EnvPosition != v1alpha1.EnvAppend {
		index = fmt.Sprintf("(%[1]s <= %[2]s ?\n    %[2]s :\n"+
			"    (env.transformList(j, v, j >= %[1]s &&\n      v.name in %[3]s[i], j) + [size(env)])[0])",
			behind, index, l.names)
	}
	if e.isReplaced(in.Injector) {
		replaced := place
		if behind != "" {
			replaced = fmt.Sprintf("[%s, %s].max()", place, behind)
			others, rest = fmt.Sprintf("%s.filter(%s, !(%s))", list, v, e.hasKey(v)), "" // it may move
		}
		index = fmt.Sprintf("%s ? %s :\n  %s", has, replaced, index)
	}
	at = c.add(name+"_at", fmt.Sprintf("the index of %s of %s in each list; -1 where nothing changes", e.key, in.Name), fmt.Sprintf(
		"%s.transformList(i, %s,\n  !%s ||\n  %s ? -1 :\n  %s)", l.current, list, isTarget, stays, index))
	c.addStep(l, name, fmt.Sprintf("the lists with %s of %s", e.key, in.Name), fmt.Sprintf(
		"%[1]s[i] < 0 ? %[2]s :\n  %[3]s.transformList(j, %[4]s, j < %[1]s[i], %[4]s) +\n  [%[5]s] +\n"+
			"  %[3]s.transformList(j, %[4]s, j >= %[1]s[i]%[6]s, %[4]s)",
		at, list, others, v, l.entry(e), rest))
	return at, has, place
}

// usedBy returns expressions for lists of the variables that a variable uses. A variable whose value is joined uses those of all values
// that the injector joins to it in the same container.
func (c *compiler) usedBy(l *appList, in *compiled, e appEntry, entries []appEntry) []string {
	if value := node.Get(e.body, "value"); isExpression(value) {
		used := fmt.Sprintf("%s.filter(u, u != %s)", usedIn("("+value.Value+")"), quote(e.key))
		if value.Tag == perTag {
			used = l.container() + ".map(c, " + used + ")[0]"
		}
		return []string{used}
	}
	if e.join == nil {
		if used := slices.DeleteFunc(e.uses(), func(name string) bool { return name == e.key }); len(used) > 0 {
			return []string{stringList(used)}
		}
		return nil
	}
	var all []string
	for _, other := range entries {
		used := other.uses()
		switch {
		case other.key != e.key || other.join == nil || len(used) == 0:
		case other.condition == e.condition:
			all = append(all, stringList(used))
		default:
			all = append(all, fmt.Sprintf("(%s ? %s : [])", c.isFor(l, in, other), stringList(used)))
		}
	}
	return all
}
