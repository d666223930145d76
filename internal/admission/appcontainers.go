package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
)

// appList is a list in each of the pod's containers, such as their variables. It changes with each step of the injectors, so each step adds
// a variable to the policy that has the lists of all containers so far, in the order of the containers.
type appList struct {
	of       podList
	field    string // env, envFrom or volumeMounts
	original string // the variable with the lists as they are in the pod
	current  string // the variable with the lists so far
	names    string // the variable with the names of the app's own variables
	steps    int
}

// item is the name that expressions give to an entry of the list.
func (l *appList) item() string {
	return map[string]string{"env": "v", "envFrom": "s", "volumeMounts": "m"}[l.field]
}

// nextName returns the name of the variable for the next step of an injector.
func (l *appList) nextName(in *compiled) string {
	l.steps++
	return fmt.Sprintf("%s_%s_%s_%d", in.id, l.of.name, l.field, l.steps)
}

// addAppContainers adds variables, sources of variables and mounts to the app's containers of a list.
func (c *compiler) addAppContainers(of podList) {
	for _, field := range appFields {
		var all [][]appEntry // by injector
		isEmpty := true
		for _, in := range c.injectors {
			entries := appEntries(in.Injector, of, field, of.names()+"[i]")
			all, isEmpty = append(all, entries), isEmpty && len(entries) == 0
		}
		if !isEmpty {
			c.addAppList(of, field, all)
		}
	}
}

// addAppList adds the entries of all injectors to a list of the app's containers.
func (c *compiler) addAppList(of podList, field string, entries [][]appEntry) {
	l := &appList{of: of, field: field}
	l.original = c.add(of.name+"_"+field, fmt.Sprintf("%s of each of the pod's %s, in their order; the steps below add to these lists "+
		"what injectors declare", field, of.name), fmt.Sprintf("object.spec.?%s.orValue([]).map(c, c.?%s.orValue([]))", of.name, field))
	l.current = l.original
	if field == "env" {
		l.names = c.add(of.name+"_env_names", "the names of the app's own variables in each of them",
			l.original+".map(env, env.map(v, v.name))")
	}
	for i := range c.injectors {
		in := &c.injectors[i]
		var prepended, appended []appEntry
		for _, e := range entries[i] {
			if field == "env" && e.rule.EnvPosition != v1alpha1.EnvAppend {
				prepended = append(prepended, e)
			} else {
				appended = append(appended, e)
			}
		}
		c.prependVariables(l, in, prepended)
		c.appendEntries(l, in, appended)
	}
	if field == "env" {
		c.joinValues(l, entries)
	}
	c.operate(fmt.Sprintf("%s of the app's %s that differ from what the pod has", field, of.name),
		"%[1]s.transformList(i, list, list != %[2]s[i],\n"+
			"  JSONPatch{op: \"add\", path: %[3]s + string(i) + %[4]s, value: list})",
		l.current, l.original, quote(of.path+"/"), quote("/"+field))
}

// addStep adds the variable with the lists after a step. The expression is for the list of container i, which has the name of the field.
func (c *compiler) addStep(l *appList, name, comment, expression string) {
	l.current = c.add(name, comment, fmt.Sprintf("%s.transformList(i, %s,\n  %s)", l.current, l.field, expression))
}

// mostInStep bounds the entries that are added in one step, so that its expression does not get too long.
const mostInStep = 100

// groups splits entries into those that are added in one step: entries of one rule for the same containers. One that is alone is a group of
// its own. Further values that are joined to a variable add no entry.
func groups(entries []appEntry, isAlone func(appEntry) bool) [][]appEntry {
	var all [][]appEntry
	keys := map[string]bool{}
	wasAlone := true
	for i, e := range entries {
		if i > 0 && e.key == entries[i-1].key && e.join != nil && e.condition == entries[i-1].condition {
			continue
		}
		alone := isAlone(e)
		if last := len(all) - 1; !alone && !wasAlone && e.condition == all[last][0].condition && !keys[e.key] && len(all[last]) < mostInStep {
			all[last] = append(all[last], e)
		} else {
			all, keys = append(all, []appEntry{e}), map[string]bool{}
		}
		keys[e.key], wasAlone = true, alone
	}
	return all
}

// describe returns what a step adds, for a comment.
func describe(group []appEntry) string {
	const most = 5
	keys := make([]string, len(group))
	for i, e := range group {
		keys[i] = e.key
	}
	if len(keys) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(keys[:most], ", "), len(keys)-most)
	}
	return strings.Join(keys, ", ")
}

// isFor returns the condition that container i gets the entries of a group.
func isFor(in *compiled, group []appEntry) string { return in.selected + " && " + group[0].condition }

// entry returns the expression for an entry as it is added. A value that is joined is added in the end, by joinValues.
func (c *compiler) entry(in *compiled, e appEntry) string {
	if e.join != nil {
		return fmt.Sprintf("{\"name\": %s, \"value\": \"\"}", quote(e.key))
	}
	return strings.ReplaceAll(c.value(in, e.body), "\n", "\n    ")
}

// appendEntries adds entries behind those of a list.
func (c *compiler) appendEntries(l *appList, in *compiled, entries []appEntry) {
	v := l.item()
	for _, group := range groups(entries, func(e appEntry) bool { return e.isReplaced(in.Injector) }) {
		if group[0].isReplaced(in.Injector) {
			c.placeEntry(l, in, group[0], l.end(), entries)
			continue
		}
		added := make([]string, len(group))
		for i, e := range group {
			added[i] = fmt.Sprintf("(%s.exists(%s, %s) ? [] : [%s])", l.field, v, e.hasKey(v), c.entry(in, e))
		}
		front, back := l.field, ""
		if l.field == "volumeMounts" {
			front = fmt.Sprintf("volumeMounts.filter(m, !(%s))", isTokenMount)
			back = fmt.Sprintf(" +\n  volumeMounts.filter(m, %s)", isTokenMount)
		}
		c.addStep(l, l.nextName(in), fmt.Sprintf("the lists after %s has added %s, unless they are there", in.Name, describe(group)),
			fmt.Sprintf("!(%s) ? %s :\n  %s +\n  %s%s", isFor(in, group), l.field, front, strings.Join(added, " +\n  "), back))
	}
}

// isTokenMount is the condition that m is the mount of the ServiceAccount's token, which the API server adds before policies run: it stays
// the last one.
const isTokenMount = `m.name.startsWith("kube-api-access-") && m.mountPath == "` + tokenPath + `"`

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// end returns the expression for the index behind the entries of the list of container i.
func (l *appList) end() string {
	if l.field == "volumeMounts" {
		return fmt.Sprintf("(volumeMounts.transformList(j, m, %s, j) + [size(volumeMounts)])[0]", isTokenMount)
	}
	return "size(" + l.field + ")"
}
