package admission

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pod"
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
	targets  map[string]string // the variables with the containers that get entries, by condition
}

// item is the name that expressions give to an entry of the list.
func (l *appList) item() string {
	return map[string]string{"env": "v", "envFrom": "s", "volumeMounts": "m"}[l.field]
}

// nextName returns the name of the variable for the next step of an injector.
func (l *appList) nextName(in *compiled) string {
	l.steps++
	return l.stepName(in)
}

// stepName returns the name of the variable for the last step.
func (l *appList) stepName(in *compiled) string {
	return fmt.Sprintf("%s_%s_%s_%d", in.id, l.of.name, l.field, l.steps)
}

// addAppContainers adds variables, sources of variables and mounts to the app's containers of a list.
func (c *compiler) addAppContainers(of podList) {
	targets := map[string]string{}
	for _, field := range appFields {
		var all [][]appEntry // by injector
		isEmpty := true
		for _, in := range c.injectors {
			entries := appEntries(in.Injector, of, field, "name")
			all, isEmpty = append(all, entries), isEmpty && len(entries) == 0
		}
		if !isEmpty {
			c.addAppList(&appList{of: of, field: field, targets: targets}, all)
		}
	}
}

// addAppList adds the entries of all injectors to a list of the app's containers.
func (c *compiler) addAppList(l *appList, entries [][]appEntry) {
	of, field := l.of, l.field
	l.original = c.add(of.name+"_"+field, fmt.Sprintf("%s of each of the pod's %s, in their order; the steps below add to these lists "+
		"what injectors declare", field, of.name), fmt.Sprintf("%s.map(c, c.?%s.orValue([]))", of.entries(), field))
	l.current = l.original
	if field == "env" {
		l.names = c.add(of.name+"_env_names", "the names of the app's own variables in each of them",
			l.original+".map(env, env.map(v, v.name))")
	}
	for i := range c.injectors {
		in := &c.injectors[i]
		c.from(in, "appContainers")
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

// namesIn returns the expression for the names of the variables in the list of container i.
func (c *compiler) namesIn(l *appList, step string) string {
	if l.current == l.original {
		return l.names + "[i]"
	}
	return c.add(step+"_names", "the names of the variables so far", l.current+".map(env, env.map(v, v.name))") + "[i]"
}

// mostInStep bounds the entries that are added in one step: the API server limits the length and the cost of each expression.
const mostInStep = 50

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

// enumeration returns texts for a comment, without those that are too many.
func enumeration(texts []string) string {
	const most = 5
	if len(texts) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:most], ", "), len(texts)-most)
	}
	return strings.Join(texts, ", ")
}

// keysOf returns the keys of entries.
func keysOf(group []appEntry) []string {
	keys := make([]string, len(group))
	for i, e := range group {
		keys[i] = e.key
	}
	return keys
}

// isFor returns the condition that container i gets an entry of an injector.
func (c *compiler) isFor(l *appList, in *compiled, e appEntry) string {
	condition := in.selected + " && " + e.condition
	if l.targets[condition] == "" {
		name, to := fmt.Sprintf("%s_%s_targets", in.id, l.of.name), "all of the app's containers"
		if isNamed(e.rule, "name") != "" {
			to = enumeration(e.rule.Names)
		}
		if n := len(l.targets); n > 0 {
			name = fmt.Sprintf("%s_%d", name, n+1)
		}
		l.targets[condition] = c.add(name, fmt.Sprintf("which of the pod's %s, in their order, get what %s adds to %s", l.of.name, in.Name, to),
			fmt.Sprintf("%s.map(name, %s)", l.of.names(), condition))
	}
	return l.targets[condition] + "[i]"
}

// lineEnd separates the lines of a literal. Strings in it have none.
var lineEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\{?)\n *(\}?)`) })

// inOneLine returns a literal without line breaks.
func inOneLine(text string) string {
	return lineEnd().ReplaceAllStringFunc(text, func(found string) string {
		if brace := strings.Trim(found, "\n "); brace != "" {
			return brace
		}
		return " "
	})
}

// entry returns the expression for an entry as it is added to the list of container i. A value that is joined is added in the end, by
// joinValues.
func (l *appList) entry(e appEntry) string {
	if e.join != nil {
		return fmt.Sprintf("{\"name\": %s, \"value\": \"\"}", quote(e.key))
	}
	const mostInLine = 100
	text := literal(e.body)
	if len(text) <= mostInLine {
		text = inOneLine(text)
	}
	text = strings.ReplaceAll(text, "\n", "\n    ")
	if holdsExpression(e.body, perTag) {
		return l.container() + ".map(c, " + text + ")[0]"
	}
	return text
}

// container returns the expression for a list of container i alone: expressions for values of the container that gets an entry call it c.
func (l *appList) container() string { return fmt.Sprintf("[object.spec.%s[i]]", l.of.name) }

// appendEntries adds entries behind those of a list.
func (c *compiler) appendEntries(l *appList, in *compiled, entries []appEntry) {
	v := l.item()
	for _, group := range groups(entries, func(e appEntry) bool { return e.isReplaced(in.Injector) }) {
		if group[0].isReplaced(in.Injector) {
			c.placeEntry(l, in, group[0], l.end(), entries)
			continue
		}
		name, isTarget := l.nextName(in), c.isFor(l, in, group[0])
		present := ""
		if l.field == "env" {
			present = c.namesIn(l, name)
		}
		added := make([]string, len(group))
		for i, e := range group {
			has := fmt.Sprintf("%s.exists(%s, %s)", l.field, v, e.hasKey(v))
			if present != "" {
				has = fmt.Sprintf("%s in %s", quote(e.key), present)
			}
			added[i] = fmt.Sprintf("(%s ? [] : [%s])", has, l.entry(e))
		}
		front, back := l.field, ""
		if l.field == "volumeMounts" {
			front = fmt.Sprintf("volumeMounts.filter(m, !(%s))", isTokenMount)
			back = fmt.Sprintf(" +\n  volumeMounts.filter(m, %s)", isTokenMount)
		}
		c.addStep(l, name, fmt.Sprintf("the lists after %s has added what each lacks of %s", in.Name, enumeration(keysOf(group))),
			fmt.Sprintf("!%s ? %s :\n  %s +\n  %s%s", isTarget, l.field, front, strings.Join(added, " +\n  "), back))
	}
}

// isTokenMount is the condition that m is the mount of the ServiceAccount's token, which the API server adds before policies run: it stays
// the last one.
const isTokenMount = `m.name.startsWith("` + pod.TokenVolume + `") && m.mountPath == "` + tokenPath + `"`

// end returns the expression for the index behind the entries of the list of container i.
func (l *appList) end() string {
	if l.field == "volumeMounts" {
		return fmt.Sprintf("(volumeMounts.transformList(j, m, %s, j) + [size(volumeMounts)])[0]", isTokenMount)
	}
	return "size(" + l.field + ")"
}
