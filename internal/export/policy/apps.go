package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// appEntry is an entry that containers of the app get. A variable that is joined has the values of all operations on
// it.
type appEntry struct {
	*subject
	injector.Operation

	list          string // of the container: env
	before, after []term // what is joined to a variable, in front of the app's value and behind it
	uses          []string
}

// appEntries returns the entries of all injectors for containers of the app.
func (p *printer) appEntries() (all []*appEntry) {
	for _, s := range p.subjects {
		for _, op := range s.In("appContainers") {
			list := op.Row.Name()
			value := node.Get(op.Value, "value")
			isSame := func(e *appEntry) bool {
				return e.subject == s && e.App == op.App && e.list == list && e.Key == op.Key
			}
			at := slices.IndexFunc(all, isSame)
			if at < 0 || op.Join == nil {
				at = len(all)
				all = append(all, &appEntry{subject: s, Operation: op, list: list})
			}
			e := all[at]
			e.uses = append(e.uses, pod.UsedVariables(node.Text(value))...)
			if op.Join == nil {
				continue
			}
			part := scalar(value, reflect.TypeFor[string]())
			isKnown := func(other term) bool { return other.String() == part.String() }
			switch {
			case slices.ContainsFunc(slices.Concat(e.before, e.after), isKnown):
			case op.Join.Before:
				e.before = append(e.before, part)
			default:
				e.after = append(e.after, part)
			}
		}
	}
	return all
}

// addToApps adds env, envFrom and mounts to containers of the app. What changes entries comes first, because it uses
// their indexes. Variables in front of the app's are printed from the last to the first.
func (m *patches) addToApps() {
	var front, back []*appEntry
	for _, e := range m.appEntries() {
		m.createIn(e)
		switch {
		case e.Join != nil:
			m.join(e)
		case e.OnTaken == injector.Replace:
			m.replace(e)
		}
		if e.Position.IsFront {
			front = append(front, e)
		} else {
			back = append(back, e)
		}
	}
	for _, e := range back {
		m.forEach(e, "", e.isAbsent("a.c", `a.env`),
			operation("add", atom(fmt.Sprintf(`a.at + "/%s/-"`, e.list)), e.value()))
	}
	// Those that use others go behind these, which the app may have: the index grows from one to the next.
	slices.SortStableFunc(front, func(a, b *appEntry) int { return min(len(a.uses), 1) - min(len(b.uses), 1) })
	for i, e := range slices.Backward(front) {
		path := atom(`a.at + "/env/0"`)
		var used []string
		for _, before := range front[:i+1] {
			used = append(used, before.uses...)
		}
		slices.Sort(used)
		if len(used) > 0 {
			path = names(slices.Compact(used)).in(`a.at + "/env/" + string(`, ".map(u, a.env.indexOf(u)).max() + 1)")
		}
		m.forEach(e, ", in front", e.isAbsent("a.c", "a.env"), operation("add", path, e.value()))
	}
}

// createIn makes sure that the containers have the list of an entry.
func (m *patches) createIn(e *appEntry) {
	m.create("apps/" + e.list)
	if e.App.IncludeInit {
		m.create("appInits/" + e.list)
	}
}

// forEach adds a block for each container of the app that an entry is for and that meets a condition.
func (m *patches) forEach(e *appEntry, how string, condition, operation term) {
	body := term{
		open: apps(e.App) + ".map(a, ", separator: ",", close: ")",
		parts: []term{every(append(m.isFor(e.App), condition)...), operation},
	}
	comment := fmt.Sprintf("%s %s of the app's containers%s", e.Row.Noun, e.Key, how)
	m.addBlock(e.subject, comment, "", body)
}

var appTypes = map[string]reflect.Type{
	"env": reflect.TypeFor[corev1.EnvVar](), "envFrom": reflect.TypeFor[corev1.EnvFromSource](),
	"volumeMounts": reflect.TypeFor[corev1.VolumeMount](),
}

// value returns the expression for an entry that a container does not have.
func (e *appEntry) value() term {
	name := "Object.spec.containers." + e.list
	if e.Join == nil {
		return object(e.Value, appTypes[e.list], name)
	}
	parts := slices.Concat(e.before, e.after)
	value := parts[0]
	if len(parts) > 1 {
		value = list(parts...).in("", ".join("+quote(e.Join.Separator)+")")
	}
	return term{
		open:      name + "{",
		separator: ",",
		close:     "}",
		parts:     []term{atom("name: " + quote(e.Key)), value.in("value: ", "")},
	}
}

// isAbsent returns the condition that a container does not have an entry with this key.
func (e *appEntry) isAbsent(container, env string) term {
	if e.list == "env" {
		return atom(fmt.Sprintf("!(%s in %s)", quote(e.Key), env))
	}
	return e.isAtKey().in(fmt.Sprintf("!%s.?%s.orValue([]).exists(e, ", container, e.list), ")")
}

// isAtKey returns the condition that the entry e of a list has the key of this one.
func (e *appEntry) isAtKey() term {
	switch e.list {
	case "env":
		return atom("e.name == " + quote(e.Key))
	case "volumeMounts": // a path may end in a slash
		return names([]string{e.Key, strings.TrimSuffix(e.Key, "/") + "/"}).in("e.mountPath in ", "")
	}
	kind := "configMapRef"
	if node.Get(e.Value, kind) == nil {
		kind = "secretRef"
	}
	name := fmt.Sprintf(`e.?%s.name.orValue("") == %s`, kind, quote(node.Text(e.Value, kind, "name")))
	prefix := fmt.Sprintf(`e.?prefix.orValue("") == %s`, quote(node.Text(e.Value, "prefix")))
	return every(atom(name), atom(prefix))
}

// replace replaces the entry of the app with the same key.
func (m *patches) replace(e *appEntry) {
	index := fmt.Sprintf("a.env.lastIndexOf(%s)", quote(e.Key)) // the last variable of a name counts
	isThere := atom(quote(e.Key) + " in a.env")
	if e.list != "env" {
		isThere = e.isAtKey().in(fmt.Sprintf("a.c.?%s.orValue([]).exists(e, ", e.list), ")")
		index = e.isAtKey().in(fmt.Sprintf("a.c.%s.map(e, ", e.list), ").indexOf(true)").String()
	}
	path := atom(fmt.Sprintf(`a.at + "/%s/" + string(%s)`, e.list, index))
	m.forEach(e, ", in place of the app's", isThere, operation("replace", path, e.value()))
}

// join joins values to a variable of the app, unless it has them. One that is set twice or by valueFrom stays as it is.
func (m *patches) join(e *appEntry) {
	name := quote(e.Key)
	isText := atom(fmt.Sprintf("a.c.?env.orValue([]).filter(e, e.name == %s).map(e, has(e.valueFrom)) == [false]",
		name))
	value := term{parts: e.joined("v"), separator: " +"}.in("(", ").join("+quote(e.Join.Separator)+")").
		in(fmt.Sprintf(`a.c.env.filter(e, e.name == %s).map(e, e.?value.orValue("")).map(v, `, name), ")[0]")
	m.forEach(e, fmt.Sprintf(", joined by %q", e.Join.Separator), isText,
		operation("add", atom(fmt.Sprintf(`a.at + "/env/" + string(a.env.indexOf(%s)) + "/value"`, name)), value))
}

// joined returns the lists of the parts of a joined value, given the expression for the app's.
func (e *appEntry) joined(own string) (all []term) {
	lacking := func(parts []term) {
		if len(parts) > 0 {
			all = append(all, list(parts...).in("", ".filter(p, !"+e.hasPart(own, atom("p")).String()+")"))
		}
	}
	lacking(e.before)
	all = append(all, atom(fmt.Sprintf(`[%s].filter(p, p != "")`, own)))
	lacking(e.after)
	return all
}

// hasPart returns the condition that a value has a part between separators.
func (e *appEntry) hasPart(value string, part term) term {
	separator := quote(e.Join.Separator)
	return part.in(fmt.Sprintf("(%[1]s + %[2]s + %[1]s).contains(%[1]s + ", separator, value), " + "+separator+")")
}

// overlap reports whether two entries of appContainers may be for the same container.
func overlap(a, b *injector.AppContainers) bool {
	return a.Includes("") || b.Includes("") || slices.ContainsFunc(a.Names, b.Includes)
}
