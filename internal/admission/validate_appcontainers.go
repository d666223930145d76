package admission

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkAppContainers checks what the injector adds to the app's containers of a list.
func (v *validator) checkAppContainers(list podList) {
	for _, field := range []string{"env", "envFrom", "volumeMounts"} {
		var before []appEntry
		for r := range v.in.AppContainers {
			rule := &v.in.AppContainers[r]
			v.from(v.in, fmt.Sprintf("appContainers[%d].%s", r, field))
			for _, entry := range entriesOf(rule, list, field) {
				e := appEntry{field: field, key: podtemplate.EntryKey(field, entry), body: entry, rule: rule}
				_, e.isJoined = rule.Joins[entry]
				v.checkAppEntry(list, e, before)
				before = append(before, e)
			}
		}
	}
}

// appEntry is an entry that a rule adds to a list of the app's containers.
type appEntry struct {
	field, key string
	body       *yaml.Node
	rule       *injector.AppContainers
	isJoined   bool
}

// isFor returns the condition that the container c gets the entry: an earlier rule with the same key counts instead, unless both are
// joined.
func (e appEntry) isFor(before []appEntry) string {
	conditions := []string{"!(c.name in variables.declared)"}
	if names := e.named(); names != "" {
		conditions = append(conditions, names)
	}
	for _, earlier := range before {
		if earlier.key != e.key || e.key == "" || earlier.isJoined && e.isJoined {
			continue
		}
		names := earlier.named()
		if names == "" {
			return "false"
		}
		conditions = append(conditions, "!("+names+")")
	}
	return all(conditions)
}

// named returns the condition that the rule is for the container c, or "" if it is for all.
func (e appEntry) named() string {
	for _, name := range e.rule.Names {
		if name == v1alpha1.AllContainers {
			return ""
		}
	}
	return "c.name in " + stringList(e.rule.Names)
}

// checkAppEntry checks that the app's containers have an entry, or another one with its key where that one is kept.
func (v *validator) checkAppEntry(list podList, e appEntry, before []appEntry) {
	containers, isFor := fmt.Sprintf("object.spec.?%s.orValue([])", list.name), e.isFor(before)
	if isFor == "false" {
		return
	}
	words := map[string]struct {
		noun, field string
		code        finding.Code
		choice      v1alpha1.Conflict
		t           reflect.Type
	}{
		"env":          {"env variable", "env", finding.EnvConflict, v.in.Spec.OnConflict.Env, reflect.TypeFor[corev1.EnvVar]()},
		"envFrom":      {"source of variables", "", "", v1alpha1.ConflictKeep, reflect.TypeFor[corev1.EnvFromSource]()},
		"volumeMounts": {"mount path", "mountPath", finding.MountConflict, v.in.Spec.OnConflict.MountPath, reflect.TypeFor[corev1.VolumeMount]()},
	}[e.field]
	at := "c.?" + e.field
	hasKey := at + ".orValue([])" + strings.TrimPrefix((&appList{field: e.field}).has(e.body), "e")
	subject := fmt.Sprintf("%s %q of the app's container \"", words.noun, e.key)
	text := func(rest string) string { return fmt.Sprintf(`%s + c.name + %s`, quote(subject), quote(`" `+rest)) }

	v.each(finding.OutOfDate, containers, fmt.Sprintf("%s && !%s", isFor, hasKey), text("is missing"))
	if e.isJoined {
		v.checkJoined(containers, isFor, e, text)
		return
	}
	differs := fmt.Sprintf("!%s && %s && %s && !%s", v.stamped, isFor, hasKey, hasEntry(e.field, e.body, words.t, at))
	switch words.choice {
	case v1alpha1.ConflictError:
		v.each(words.code, containers, differs, text(fmt.Sprintf(
			"differs from the injector's; make them equal, or set spec.onConflict.%s to Keep or Replace", words.field)))
	case v1alpha1.ConflictReplace:
		v.each(finding.OutOfDate, containers, differs, text("differs"))
	}
}

// checkJoined checks that a value is joined to a variable of the app's containers, and that the variable has a value to join it to.
func (v *validator) checkJoined(containers, isFor string, e appEntry, text func(string) string) {
	how, name := e.rule.Joins[e.body], node.Text(e.body, "name")
	variables := fmt.Sprintf("c.?env.orValue([]).filter(e, e.name == %s)", quote(name))
	v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.exists(e, has(e.valueFrom))", isFor, variables), text(fmt.Sprintf(
		"gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another "+
			"name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)))
	v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && size(%s) > 1", isFor, variables), text(
		"is set twice, so it is not clear what to join to; remove one of the two from the manifest"))
	separator := quote(how.Separator)
	lacksPart := fmt.Sprintf(
		"!%s && %s && %s.exists(e, !has(e.valueFrom) && !(%s + e.?value.orValue(\"\") + %s).contains(%s))", v.stamped, isFor, variables,
		separator, separator, quote(how.Separator+node.Text(e.body, "value")+how.Separator))
	for _, used := range podtemplate.UsedVariables(node.Text(e.body, "value")) {
		const names = "c.?env.orValue([]).map(e, e.name)"
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.indexOf(%s) > %s.indexOf(%s)", lacksPart, names, quote(used),
			names, quote(name)), text(fmt.Sprintf("comes before %q, which the value that is joined to it uses; move %[1]q before %[2]q "+
			"in the manifest", used, name)))
	}
	v.each(finding.OutOfDate, containers, lacksPart, text("lacks what is joined to it"))
}
