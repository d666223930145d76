package admission

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// appList is a list in each of the pod's containers, such as their variables. Its value changes with each entry that injectors add, so it
// is followed by variables that hold the lists of all containers.
type appList struct {
	of      podList
	field   string // env, envFrom or volumeMounts
	current string // the variable that holds the lists so far
	own     string // the variable with the names of the app's own variables
	count   int
}

// addAppContainers adds variables, sources of variables and mounts to the app's containers of a list.
func (c *compiler) addAppContainers(of podList) {
	for _, field := range []string{"env", "envFrom", "volumeMounts"} {
		if c.hasEntries(of, field) {
			c.addAppList(of, field)
		}
	}
}

// entriesOf returns what a rule adds to a list of the app's containers.
func entriesOf(rule *injector.AppContainers, of podList, field string) []*yaml.Node {
	switch {
	case of == initContainersList && !rule.IncludeInit:
		return nil
	case field == "env":
		return rule.Env
	case field == "envFrom":
		return rule.EnvFrom
	default:
		return rule.VolumeMounts
	}
}

func (c *compiler) hasEntries(of podList, field string) bool {
	for _, in := range c.injectors {
		for i := range in.AppContainers {
			if len(entriesOf(&in.AppContainers[i], of, field)) > 0 {
				return true
			}
		}
	}
	return false
}

func (c *compiler) addAppList(of podList, field string) {
	l := &appList{of: of, field: field}
	begin := c.add(of.name+"_"+field, fmt.Sprintf("%s of each of the pod's %s", field, of.name),
		fmt.Sprintf("object.spec.?%s.orValue([]).map(c, c.?%s.orValue([]))", of.name, field))
	l.current = begin
	if field == "env" {
		l.own = c.add(of.name+"_env_names", "the names of the app's own variables", begin+".map(e, e.map(v, v.name))")
	}
	for i := range c.injectors {
		in := &c.injectors[i]
		c.from(in, "appContainers")
		if field != "env" {
			for r := range in.AppContainers {
				c.appendEntries(l, in, r)
			}
			continue
		}
		c.prependVariables(l, in)
		for r := range in.AppContainers {
			if in.AppContainers[r].EnvPosition == v1alpha1.EnvAppend {
				c.appendEntries(l, in, r)
			}
		}
	}
	c.operate(fmt.Sprintf("%s of the app's %s", field, of.name),
		"%[1]s.transformList(i, e, e != %[2]s[i], JSONPatch{op: \"add\", path: %[3]s + string(i) + %[4]s, value: e})",
		l.current, begin, quote(of.path+"/"), quote("/"+field))
}

// next returns the name of another variable of the list.
func (l *appList) next(in *compiled) string {
	l.count++
	return fmt.Sprintf("%s_%s_%s_%d", in.id, l.of.name, l.field, l.count)
}

// isFor returns the condition that container i gets an entry of a rule. If an earlier rule has an entry of the same key for the
// container, that one counts, unless both are joined.
func (l *appList) isFor(in *compiled, rule int, entry *yaml.Node) string {
	conditions := []string{in.selected, fmt.Sprintf("!(%s[i] in variables.declared)", l.of.names())}
	if names := l.isNamed(&in.AppContainers[rule]); names != "" {
		conditions = append(conditions, names)
	}
	_, isJoined := in.AppContainers[rule].Joins[entry]
	for r := range in.AppContainers[:rule] {
		earlier := &in.AppContainers[r]
		at := podtemplate.FindEntry(l.field, entriesOf(earlier, l.of, l.field), entry)
		if at < 0 {
			continue
		}
		if isJoined { // so these are variables
			if _, wasJoined := earlier.Joins[earlier.Env[at]]; wasJoined {
				continue
			}
		}
		names := l.isNamed(earlier)
		if names == "" {
			return "false"
		}
		conditions = append(conditions, "!("+names+")")
	}
	return strings.Join(conditions, " && ")
}

// isNamed returns the condition that a rule names container i, or "" if it is for all.
func (l *appList) isNamed(rule *injector.AppContainers) string {
	if slices.Contains(rule.Names, v1alpha1.AllContainers) {
		return ""
	}
	return fmt.Sprintf("%s[i] in %s", l.of.names(), stringList(rule.Names))
}

// has returns the condition that the list e has an entry.
func (l *appList) has(entry *yaml.Node) string {
	switch l.field {
	case "env":
		return fmt.Sprintf("e.exists(v, v.name == %s)", quote(node.Text(entry, "name")))
	case "volumeMounts":
		path := strings.TrimRight(node.Text(entry, "mountPath"), "/")
		return fmt.Sprintf("e.exists(m, m.mountPath == %s || m.mountPath == %s)", quote(path), quote(path+"/"))
	default:
		kind := "configMapRef"
		if node.Get(entry, kind) == nil {
			kind = "secretRef"
		}
		return fmt.Sprintf("e.exists(s, s.?%s.name.orValue(\"\") == %s && s.?prefix.orValue(\"\") == %s)",
			kind, quote(node.Text(entry, kind, "name")), quote(node.Text(entry, "prefix")))
	}
}

// appendEntries adds the entries of a rule behind the app's own. The mount of the ServiceAccount's token stays the last one: the API
// server adds it before policies run.
func (c *compiler) appendEntries(l *appList, in *compiled, rule int) {
	for _, entry := range entriesOf(&in.AppContainers[rule], l.of, l.field) {
		name := l.next(in)
		body := c.entry(l, in, name, "an entry for "+l.field, entry)
		added := "e + [" + body + "]"
		if l.field == "volumeMounts" {
			const isToken = `m.mountPath == "/var/run/secrets/kubernetes.io/serviceaccount"`
			added = fmt.Sprintf("e.filter(m, !(%[1]s)) + [%[2]s] + e.filter(m, %[1]s)", isToken, body)
		}
		c.setList(l, name, in, rule, entry, added)
	}
}

// setList adds the variable with the lists after one entry was added, unless it is there.
func (c *compiler) setList(l *appList, name string, in *compiled, rule int, entry *yaml.Node, added string) {
	present := "e"
	if how, isJoined := in.AppContainers[rule].Joins[entry]; isJoined {
		present = l.joined(entry, how)
	}
	l.current = c.add(name, "with "+podtemplate.EntryKey(l.field, entry)+" of "+in.Name, fmt.Sprintf(
		"%s.transformList(i, e, !(%s) ? e : %s ? %s : %s)", l.current, l.isFor(in, rule, entry), l.has(entry), present, added))
}

// joined returns the expression for the list e with a value joined to a variable of the app, unless that comes before one that the value
// uses: Pillion refuses it.
func (l *appList) joined(entry *yaml.Node, how injector.Join) string {
	used := podtemplate.UsedVariables(node.Text(entry, "value"))
	if len(used) == 0 {
		return joinedTo(entry, how)
	}
	return fmt.Sprintf("(%[1]s.all(u, !(u in %[2]s[i]) || %[2]s[i].indexOf(u) < %[2]s[i].indexOf(%[3]s)) ? %[4]s : e)",
		stringList(used), l.own, quote(node.Text(entry, "name")), joinedTo(entry, how))
}

// joinedTo returns the expression for the list e with a value joined to the variable of its name, unless it is there already.
func joinedTo(entry *yaml.Node, how injector.Join) string {
	name, part, separator := quote(node.Text(entry, "name")), quote(node.Text(entry, "value")), quote(how.Separator)
	value := `v.?value.orValue("")`
	joined := value + " + " + separator + " + " + part
	if how.Before {
		joined = part + " + " + separator + " + " + value
	}
	return fmt.Sprintf("e.map(v, v.name != %[1]s || has(v.valueFrom) || (%[3]s + %[4]s + %[3]s).contains(%[3]s + %[2]s + %[3]s) ? v :\n"+
		"  {\"name\": %[1]s, \"value\": %[4]s == \"\" ? %[2]s : %[5]s})", name, part, separator, value, joined)
}

// prependVariables adds variables in front of the app's own, which may use them, as [payload.appFiller] does: a variable of another
// variable follows how many of the first ones are done.
func (c *compiler) prependVariables(l *appList, in *compiled) {
	next := ""
	for r := range in.AppContainers {
		rule := &in.AppContainers[r]
		if rule.EnvPosition == v1alpha1.EnvAppend {
			continue
		}
		for _, entry := range entriesOf(rule, l.of, l.field) {
			name := l.next(in)
			if next == "" {
				next = c.add(name+"_next", "where the app's own variables begin", fmt.Sprintf(
					"%s.transformList(i, e, (e.transformList(j, v, v.name in %s[i], j) + [size(e)])[0])", l.current, l.own))
			}
			body := c.entry(l, in, name, "a variable", entry)
			at := c.add(name+"_at", "its place, or -1 if it is not added", fmt.Sprintf("%s.transformList(i, e, !(%s) || %s ? -1 : %s)",
				l.current, l.isFor(in, r, entry), l.has(entry), l.place(in, entry, body, next)))
			before := l.current
			c.setList(l, name, in, r, entry, fmt.Sprintf(
				"e.transformList(j, v, j < %[1]s[i], v) + [%[2]s] + e.transformList(j, v, j >= %[1]s[i], v)", at, body))
			next = c.add(name+"_done", "where the next one goes", fmt.Sprintf(
				"%[1]s.transformList(i, e, !(%[2]s) ? %[3]s[i] : (%[4]s[i] >= 0 ? %[4]s[i] : e.map(v, v.name).indexOf(%[5]s)) == %[3]s[i] ? "+
					"%[3]s[i] + 1 : %[3]s[i])", before, l.isFor(in, r, entry), next, at, quote(node.Text(entry, "name"))))
		}
	}
}

// place returns the expression for the index at which a variable is added to the list e: where the next one goes, or behind the
// variables that it and what is joined to it use.
func (l *appList) place(in *compiled, entry *yaml.Node, body, next string) string {
	used := usedVariables(entry)
	for r := range in.AppContainers {
		for other := range in.AppContainers[r].Joins {
			if node.Text(other, "name") == node.Text(entry, "name") {
				used = append(used, usedVariables(other)...)
			}
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	names := stringList(used)
	switch {
	case isExpression(node.Get(entry, "value")):
		names = "(" + names + " + " + usedIn(body+".value") + ")"
	case len(used) == 0:
		return next + "[i]"
	}
	behind := fmt.Sprintf("([0] + e.transformList(j, v, v.name in %s, j + 1)).max()", names)
	return fmt.Sprintf("(%[1]s > %[2]s[i] ? (e.transformList(j, v, j >= %[1]s && v.name in %[3]s[i], j) + [size(e)])[0] : %[2]s[i])",
		behind, next, l.own)
}
