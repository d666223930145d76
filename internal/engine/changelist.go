package engine

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// changeList collects what one injector after the other does to a pod template.
type changeList struct {
	pod           *pod
	moved         map[string]map[string]bool // what has moved in lists, by path and key
	after         *stamp.View                // of the pod template; this and the next are nil until they are needed
	addedByOthers map[stamp.Thing][]string   // the injectors of other runs by what they have added
	changes       []outcome.Change
}

// isImplied reports whether it follows from another change that one stamp of an injector has a thing and another has not. If a variable
// comes or goes, so do the values that are joined to it. If other injectors have the variable too, or if it stays because a person has
// added something to it, only these values come or go.
func (l *changeList) isImplied(m *member, has, hasNot *stamp.Stamp, t stamp.Thing) bool {
	variable, isPart := stamp.JoinedVariable(t.Path)
	switch {
	case isPart:
		isNew := has.Adds(variable.Path, variable.Key) && !hasNot.Adds(variable.Path, variable.Key)
		return isNew && len(l.otherOwners(m, variable)) == 0 && !l.stays(variable)
	case has.IsJoined(t):
		return len(l.otherOwners(m, t)) > 0 || l.stays(t)
	default:
		return false
	}
}

func (l *changeList) add(verb outcome.Verb, path, key string) { l.addField(verb, path, key, "") }

func (l *changeList) addOthers(verb outcome.Verb, t stamp.Thing, others []string) {
	l.changes = append(l.changes, outcome.Change{
		Verb: verb, Template: l.pod.template.Path, Path: t.Path, Key: t.Key, Others: strings.Join(others, ", "),
	})
}

// addField adds a change with the values before and after it, except for a stamp, because people do not read those.
func (l *changeList) addField(verb outcome.Verb, path, key, field string) {
	c := outcome.Change{Verb: verb, Template: l.pod.template.Path, Path: path, Key: key, Field: field}
	if verb != outcome.Moves && verb != outcome.Adopts && !stamp.IsKey(key) {
		if verb != outcome.Adds {
			c.Old = brief(valueOf(l.pod.viewBefore().At(path, key), field))
		}
		c.New = brief(valueOf(l.viewAfter().At(path, key), field))
	}
	l.changes = append(l.changes, c)
}

// addDifferences adds the differences between something in the file and in the result, and returns whether there are any.
func (l *changeList) addDifferences(verb outcome.Verb, t stamp.Thing) bool {
	fields := fieldsBetween(t.Path, l.pod.viewBefore().At(t.Path, t.Key), l.viewAfter().At(t.Path, t.Key))
	for _, field := range fields {
		l.addField(verb, t.Path, t.Key, field)
	}
	return len(fields) > 0
}

// hasOtherNames reports whether something refers to other objects in the result than in the file, because the app does, from which a
// sidecar takes it over.
func (l *changeList) hasOtherNames(t stamp.Thing) bool {
	return stamp.Refers(t) && l.stays(t) && !l.pod.isDrifted(t) &&
		!stamp.SameNames(t, l.pod.viewBefore().At(t.Path, t.Key), l.viewAfter().At(t.Path, t.Key))
}

// addGrown adds the change of a quantity to which an injector adds another amount than before.
func (l *changeList) addGrown(t stamp.Thing) {
	switch before, after := l.pod.viewBefore().At(t.Path, t.Key), l.viewAfter().At(t.Path, t.Key); {
	case node.Equal(before, after):
	case before == nil:
		l.add(outcome.Adds, t.Path, t.Key)
	case after == nil:
		l.add(outcome.Removes, t.Path, t.Key)
	default:
		l.add(outcome.Updates, t.Path, t.Key)
	}
}

func (l *changeList) viewAfter() *stamp.View {
	if l.after == nil {
		l.after = stamp.NewView(l.pod.version().Node)
	}
	return l.after
}

func brief(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return strings.ReplaceAll(node.Brief(n), "\n", `\n`)
}

// stays reports whether something is in the file and in the result.
func (l *changeList) stays(t stamp.Thing) bool {
	return l.pod.viewBefore().At(t.Path, t.Key) != nil && l.viewAfter().At(t.Path, t.Key) != nil
}

// otherOwners returns the other injectors that have added something, too.
func (l *changeList) otherOwners(m *member, t stamp.Thing) []string {
	var names []string
	for _, made := range l.pod.made {
		if made.by != m && made.stamp.Adds(t.Path, t.Key) {
			names = append(names, made.by.injector.Name)
		}
	}
	if l.addedByOthers == nil {
		l.addedByOthers = map[stamp.Thing][]string{}
		for _, o := range l.pod.plan.others {
			for _, t := range o.Things() {
				l.addedByOthers[t] = append(l.addedByOthers[t], stamp.NameOf(o.Key))
			}
		}
	}
	return append(names, l.addedByOthers[t]...)
}
