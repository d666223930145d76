package admission

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// appFields are the lists of the app's containers that injectors add entries to.
var appFields = []string{"env", "envFrom", "volumeMounts"}

// appEntry is an entry that a rule adds to a list of the app's containers.
type appEntry struct {
	field, key string
	body       *node.Node
	rule       *injector.AppContainers
	index      int            // of the rule
	join       *injector.Join // how its value is joined to that of the app; nil if it is not
	condition  string         // whether a container gets it
}

func newAppEntry(rule *injector.AppContainers, field string, body *node.Node) appEntry {
	e := appEntry{field: field, key: pod.InContainer(field).Key(body), body: body, rule: rule}
	if how, isJoined := rule.Joins[body]; isJoined {
		e.join = &how
	}
	return e
}

// appEntries returns the entries that an injector adds to a list of the app's containers, in the order of its rules. Their conditions use
// an expression for the name of the container.
func appEntries(in *injector.Injector, of podList, field, container string) []appEntry {
	var all []appEntry
	byKey := map[string][]appEntry{}
	for r := range in.AppContainers {
		rule := &in.AppContainers[r]
		for _, body := range entriesOf(rule, of, field) {
			e := newAppEntry(rule, field, body)
			e.index = r
			conditions, isPossible := e.conditions(byKey[e.key], container)
			byKey[e.key] = append(byKey[e.key], e)
			if isPossible {
				e.condition = strings.Join(conditions, " && ")
				all = append(all, e)
			}
		}
	}
	return all
}

// entriesOf returns what a rule adds to a list of the app's containers.
func entriesOf(rule *injector.AppContainers, of podList, field string) []*node.Node {
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

// conditions returns the conditions that a container gets the entry, given those of earlier rules with the same key, and whether they can
// hold. The first rule that is for a container counts, and with it the others if all of them are joined.
func (e appEntry) conditions(earlier []appEntry, container string) (conditions []string, isPossible bool) {
	conditions = []string{fmt.Sprintf("!(%s in variables.declared)", container)}
	if names := isNamed(e.rule, container); names != "" {
		conditions = append(conditions, names)
	}
	var joined []string // the containers for which a joined one comes first
	for _, other := range earlier {
		names := isNamed(other.rule, container)
		if other.join != nil && e.join != nil {
			if names == "" { // nothing that comes later matters
				break
			}
			joined = append(joined, names)
			continue
		}
		if other.rule == e.rule {
			continue
		}
		if names == "" && len(joined) == 0 {
			return nil, false
		}
		alternatives := slices.Clone(joined)
		if names != "" {
			alternatives = append(alternatives, "!("+names+")")
		}
		conditions = append(conditions, "("+strings.Join(alternatives, " || ")+")")
	}
	return conditions, true
}

// isNamed returns the condition that a rule is for a container, or "" if it is for all.
func isNamed(rule *injector.AppContainers, container string) string {
	if slices.Contains(rule.Names, v1alpha1.AllContainers) {
		return ""
	}
	return fmt.Sprintf("%s in %s", container, stringList(rule.Names))
}

// uses returns the names of the variables that the value of a variable uses.
func (e appEntry) uses() []string {
	if e.field != "env" {
		return nil
	}
	return usedVariables(e.body)
}

// hasKey returns the condition that an entry of a list, at an expression, has the key of this one.
func (e appEntry) hasKey(at string) string {
	switch e.field {
	case "env":
		return fmt.Sprintf("%s.name == %s", at, quote(e.key))
	case "volumeMounts":
		if strings.Trim(e.key, "/") == "" {
			return fmt.Sprintf("%s.mountPath == %s", at, quote(e.key))
		}
		return fmt.Sprintf("%s.mountPath.matches(%s)", at, quote("^"+regexp.QuoteMeta(e.key)+"/*$"))
	default:
		kind := "configMapRef"
		if node.Get(e.body, kind) == nil {
			kind = "secretRef"
		}
		return fmt.Sprintf("%[1]s.?%[2]s.name.orValue(\"\") == %[3]s && %[1]s.?prefix.orValue(\"\") == %[4]s",
			at, kind, quote(node.Text(e.body, kind, "name")), quote(node.Text(e.body, "prefix")))
	}
}

// onConflict returns what becomes of an entry of the app with the same key and other content.
func (e appEntry) onConflict(in *injector.Injector) v1alpha1.Conflict {
	return pod.InContainer(e.field).Taken.Choice(in.Spec.OnConflict)
}

// isReplaced reports whether the entry takes the place of one of the app.
func (e appEntry) isReplaced(in *injector.Injector) bool {
	return e.join == nil && e.onConflict(in) == v1alpha1.ConflictReplace
}

// isSame returns the condition that an entry of a list, at an expression, has the content of this one: the declared fields, and no others
// except defaults.
func (e appEntry) isSame(at string) string {
	t := reflect.TypeFor[corev1.VolumeMount]()
	if e.field == "env" {
		t = reflect.TypeFor[corev1.EnvVar]()
	}
	return all(sameFields(node.Resolve(e.body), t, at))
}

// sameFields returns the conditions that the mapping at an expression has the declared fields, and no others except defaults.
func sameFields(declared *node.Node, t reflect.Type, at string) []string {
	var conditions []string
	for _, field := range jsonfield.Of(pod.Pointed(t)) {
		value, inside := node.Get(declared, field.Name), at+selector(field.Name)
		switch {
		case node.IsNull(value) && pod.Pointed(t) == reflect.TypeFor[corev1.EnvVarSource](): // it has exactly one
		case node.IsNull(value):
			conditions = append(conditions, isUnset(field, inside))
		case node.Resolve(value).Kind == node.MappingNode:
			conditions = append(conditions, inside+".hasValue()")
			conditions = append(conditions, sameFields(node.Resolve(value), field.Type, inside)...)
		default:
			conditions = append(conditions, equalField(field.Name, value, t, at)...)
		}
	}
	return conditions
}

// isUnset returns the condition that an optional field of a variable or a mount has no value, or its default.
func isUnset(field jsonfield.Field, at string) string {
	switch {
	case field.Name == "apiVersion":
		return at + `.orValue("v1") == "v1"`
	case field.Name == "divisor":
		return at + `.orValue("0") == "0"`
	case field.Type.Kind() == reflect.String:
		return at + `.orValue("") == ""`
	case field.Type.Kind() == reflect.Bool:
		return at + ".orValue(false) == false"
	default:
		return "!" + at + ".hasValue()"
	}
}
