package admission

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// appWords are the words of messages about a list of the app's containers.
var appWords = map[string]struct {
	noun, choice string // the choice is a field of onConflict
	code         finding.Code
}{
	"env":          {"env variable", "env", finding.EnvConflict},
	"envFrom":      {noun: "source of variables"},
	"volumeMounts": {"mount path", "mountPath", finding.MountConflict},
}

// checkAppContainers checks what the injector adds to the app's containers of a list.
func (v *validator) checkAppContainers(list podList) {
	for _, field := range appFields {
		entries := appEntries(v.in.Injector, list, field, "c.name")
		for i, e := range entries {
			isFirst := true // of its key, for the same containers
			for _, earlier := range entries[:i] {
				isFirst = isFirst && (earlier.key != e.key || earlier.condition != e.condition)
			}
			v.checkAppEntry(list, e, isFirst)
		}
	}
}

// checkAppEntry checks that the app's containers have an entry, or another one with its key where that one is kept.
func (v *validator) checkAppEntry(list podList, e appEntry, isFirst bool) {
	containers, words := fmt.Sprintf("object.spec.?%s.orValue([])", list.name), appWords[e.field]
	found := fmt.Sprintf("c.?%s.orValue([])", e.field)
	hasKey := fmt.Sprintf("%s.exists(e, %s)", found, e.hasKey("e"))
	subject := fmt.Sprintf("%s %q of the app's container \"", words.noun, e.key)
	text := func(rest string) string { return fmt.Sprintf(`%s + c.name + %s`, quote(subject), quote(`" `+rest)) }

	if isFirst {
		v.each(finding.OutOfDate, containers, fmt.Sprintf("%s && !%s", e.condition, hasKey), text("is missing"))
	}
	if e.join != nil {
		v.checkJoined(containers, e, isFirst, text)
		return
	}
	if choice := e.onConflict(v.in.Injector); choice != v1alpha1.ConflictKeep {
		// The first entry with the key counts, as in manifests.
		differs := fmt.Sprintf("!%s && %s && %s && !%s.filter(e, %s).map(e, %s)[0]", v.stamped, e.condition, hasKey,
			found, e.hasKey("e"), e.isSame("e"))
		if choice == v1alpha1.ConflictReplace {
			v.each(finding.OutOfDate, containers, differs, text("differs"))
			return
		}
		v.each(words.code, containers, differs, text(fmt.Sprintf(
			"differs from the injector's; make them equal, or set spec.onConflict.%s to Keep or Replace", words.choice)))
	}
}

// checkJoined checks that a value is joined to a variable of the app's containers, and that the variable has a value to join it to.
func (v *validator) checkJoined(containers string, e appEntry, isFirst bool, text func(string) string) {
	name, value := e.key, node.Text(e.body, "value")
	variables := fmt.Sprintf("c.?env.orValue([]).filter(e, %s)", e.hasKey("e"))
	if isFirst { // it is said once for all values
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.exists(e, has(e.valueFrom))", e.condition, variables), text(fmt.Sprintf(
			"gets its value when the pod starts (valueFrom), so nothing can be joined to it; in the manifest, give it another "+
				"name, such as APP_%[1]s, and set %[1]s to $(APP_%[1]s) after it", name)))
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && size(%s) > 1", e.condition, variables), text(
			"is set twice, so it is not clear what to join to; remove one of the two from the manifest"))
	}
	separator := quote(e.join.Separator)
	lacksPart := fmt.Sprintf(
		"!%s && %s && %s.exists(e, !has(e.valueFrom) && !(%s + e.?value.orValue(\"\") + %s).contains(%s))", v.stamped, e.condition, variables,
		separator, separator, quote(e.join.Separator+value+e.join.Separator))
	for _, used := range podtemplate.UsedVariables(value) {
		const names = "c.?env.orValue([]).map(e, e.name)"
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.indexOf(%s) > %s.indexOf(%s)", lacksPart, names, quote(used),
			names, quote(name)), text(fmt.Sprintf("comes before %q, which the value that is joined to it uses; move %[1]q before %[2]q "+
			"in the manifest", used, name)))
	}
	v.each(finding.OutOfDate, containers, lacksPart, text("lacks what is joined to it"))
}
