package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
)

// prependVariables adds variables in front of the app's own, which may use them, as [payload.appFiller] does. If the list begins with
// variables that the injector has as well, in the same order, these stay, and what follows them in the injector is added behind them.
func (c *compiler) prependVariables(l *appList, in *compiled, entries []appEntry) {
	isAlone := func(e appEntry) bool {
		return e.isReplaced(in.Injector) || len(usedBy(e, entries)) > 0
	}
	steps := groups(entries, isAlone)
	next := "0"
	for n, group := range steps {
		if n == 0 && l.current != l.original {
			next = c.add(l.nextName(in)+"_start", "where the app's own variables begin, behind those of other injectors", fmt.Sprintf(
				"%s.transformList(i, env,\n  (env.transformList(j, v, v.name in %s[i], j) + [size(env)])[0])", l.current, l.names)) + "[i]"
		}
		isLast := n == len(steps)-1
		if isAlone(group[0]) {
			next = c.placeVariable(l, in, group[0], next, entries, isLast)
		} else {
			next = c.prependGroup(l, in, group, next, isLast)
		}
	}
}

// prependGroup adds variables that use no others, and returns the expression for the index behind them.
func (c *compiler) prependGroup(l *appList, in *compiled, group []appEntry, next string, isLast bool) string {
	name, before := l.nextName(in), l.current
	names := make([]string, len(group))
	for i, e := range group {
		names[i] = e.key
	}
	order := c.add(name+"_order", fmt.Sprintf("the variables from there on, each as its index among those that %s adds; -1 for others", in.Name),
		fmt.Sprintf("%s.transformList(i, env, !(%s) ? [] :\n  env.transformList(j, v, j >= %s, %s.indexOf(v.name)))",
			l.current, isFor(in, group), next, stringList(names)))
	kept := c.add(name+"_kept", "how many of them are in the injector's order: these stay, and what follows them is added behind them",
		fmt.Sprintf("%[1]s.map(order,\n  (order.transformList(k, n, n < 0 || k > 0 && n <= order[k-1], k) + [size(order)])[0])", order))
	added := make([]string, len(group))
	for i, e := range group {
		added[i] = fmt.Sprintf("(%[1]s in env.map(v, v.name) ?\n    env.transformList(j, v, j >= %[2]s && j < %[2]s + %[3]s[i] && v.name == %[1]s, v) :\n"+
			"    [%[4]s])", quote(e.key), next, kept, c.entry(in, e))
	}
	c.addStep(l, name, fmt.Sprintf("the lists after %s has put %s in front of the app's own variables, unless they are there",
		in.Name, describe(group)), fmt.Sprintf("!(%[1]s) ? env :\n  env.transformList(j, v, j < %[2]s, v) +\n  %[3]s +\n"+
		"  env.transformList(j, v, j >= %[2]s + %[4]s[i], v)", isFor(in, group), next, strings.Join(added, " +\n  "), kept))
	if isLast {
		return ""
	}
	return c.add(name+"_next", "where the next variable goes", fmt.Sprintf("%s.transformList(i, env,\n  %s + %s[i] + size(env) - size(%s[i]))",
		l.current, next, kept, before)) + "[i]"
}

// placeVariable adds a variable that uses others behind these, or replaces one of the app, and returns the expression for the index at which
// the next one is added.
func (c *compiler) placeVariable(l *appList, in *compiled, e appEntry, next string, entries []appEntry, isLast bool) string {
	before := l.current
	at := c.placeEntry(l, in, e, next, entries)
	if isLast {
		return ""
	}
	return c.add(strings.TrimPrefix(at, "variables.")+"_next", "where the next variable goes", fmt.Sprintf(
		"%[1]s.transformList(i, env, !(%[2]s) ? %[3]s :\n"+
			"  (%[4]s in env.map(v, v.name) ? env.map(v, v.name).indexOf(%[4]s) : %[5]s[i]) == %[3]s ? %[3]s + 1 : %[3]s)",
		before, isFor(in, []appEntry{e}), next, quote(e.key), at)) + "[i]"
}

// placeEntry adds one entry at an index, or behind the variables that it uses, or replaces the one of the app. It returns the variable with
// the index in each container.
func (c *compiler) placeEntry(l *appList, in *compiled, e appEntry, index string, entries []appEntry) string {
	v, list, name := l.item(), l.field, l.nextName(in)
	has := fmt.Sprintf("%s.exists(%s, %s)", list, v, e.hasKey(v))
	others, stays := list, has
	if e.isReplaced(in.Injector) {
		others = fmt.Sprintf("%s.filter(%s, !(%s))", list, v, e.hasKey(v))
		stays = fmt.Sprintf("%s && %s.filter(%s, %s).map(%s, %s)[0]", has, list, v, e.hasKey(v), v, e.isSame(v))
	}
	behind := ""
	if used := usedBy(e, entries); len(used) > 0 {
		behind = c.add(name+"_behind", fmt.Sprintf("the index behind the variables that %s uses", e.key), fmt.Sprintf(
			"%s.transformList(i, env, ([0] + (%s).map(u, %s.map(v, v.name).indexOf(u) + 1)).max())",
			l.current, strings.Join(used, " + "), others)) + "[i]"
	}
	if behind != "" && e.rule.EnvPosition != v1alpha1.EnvAppend {
		index = fmt.Sprintf("(%[1]s <= %[2]s ? %[2]s :\n    (env.transformList(j, v, j >= %[1]s && v.name in %[3]s[i], j) + [size(env)])[0])",
			behind, index, l.names)
	}
	if e.isReplaced(in.Injector) {
		place := fmt.Sprintf("%s.transformList(j, %s, %s, j)[0]", list, v, e.hasKey(v))
		if behind != "" {
			place = fmt.Sprintf("[env.map(v, v.name).indexOf(%s), %s].max()", quote(e.key), behind)
		}
		index = fmt.Sprintf("%s ? %s :\n  %s", has, place, index)
	}
	at := c.add(name+"_at", fmt.Sprintf("the index of %s of %s in each list; -1 where nothing changes", e.key, in.Name), fmt.Sprintf(
		"%s.transformList(i, %s,\n  !(%s) || %s ? -1 :\n  %s)", l.current, list, isFor(in, []appEntry{e}), stays, index))
	c.addStep(l, name, fmt.Sprintf("the lists with %s of %s", e.key, in.Name), fmt.Sprintf(
		"%[1]s[i] < 0 ? %[2]s :\n  %[3]s.transformList(j, %[4]s, j < %[1]s[i], %[4]s) +\n  [%[5]s] +\n  %[3]s.transformList(j, %[4]s, j >= %[1]s[i], %[4]s)",
		at, list, others, v, c.entry(in, e)))
	return at
}

// usedBy returns expressions for lists of the variables that a variable uses. A variable whose value is joined uses those of all values that
// the injector joins to it in the same container.
func usedBy(e appEntry, entries []appEntry) []string {
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
			all = append(all, fmt.Sprintf("(%s ? %s : [])", other.condition, stringList(used)))
		}
	}
	return all
}
