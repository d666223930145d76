package admission

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkAppContainers checks what the injector adds to the app's containers of a list.
func (v *validator) checkAppContainers(list podList) {
	for _, field := range appFields {
		entries := appEntries(v.in.Injector, list, field, "c.name")
		if field == "env" {
			for _, group := range groups(entries, func(appEntry) bool { return false }) {
				v.fromRule(group[0])
				v.checkNames(list, group)
			}
		}
		for i, e := range entries {
			isFirst := true // of its key, for the same containers
			for _, earlier := range entries[:i] {
				isFirst = isFirst && (earlier.key != e.key || earlier.condition != e.condition)
			}
			v.fromRule(e)
			v.checkAppEntry(list, e, isFirst)
		}
	}
}

func (v *validator) fromRule(e appEntry) {
	v.from(v.in, fmt.Sprintf("appContainers[%d].%s", e.index, e.field))
}

// eachApart adds a problem as each does, in a variable of its own: the API server limits the cost of each variable, and the lists of the
// app's containers may be long.
func (v *validator) eachApart(code finding.Code, name, list, condition, text string) {
	v.apart++
	found := v.add(fmt.Sprintf("%s_%s_%d", v.in.id, name, v.apart), "what an injection of "+v.in.Name+" would change in the app's containers",
		fmt.Sprintf("%s.filter(c, %s).map(c, %s)", list, condition, text))
	v.addProblem(code, found)
}

// checkNames checks that the app's containers have variables of these names.
func (v *validator) checkNames(list podList, group []appEntry) {
	names, wanted := "[c.?env.orValue([]).map(e, e.name)]", stringList(keysOf(group))
	v.eachApart(finding.OutOfDate, "missing", list.entries(),
		fmt.Sprintf("%s && %s.exists(names, !%s.all(n, n in names))", group[0].condition, names, wanted),
		fmt.Sprintf(`"env variable \"" + %s.map(names, %s.filter(n, !(n in names)).join("\", \""))[0] + `+
			`"\" of the app's container \"" + c.name + "\" is missing"`, names, wanted))
}

// checkAppEntry checks that the app's containers have an entry, or another one with its key where that one is kept.
func (v *validator) checkAppEntry(list podList, e appEntry, isFirst bool) {
	containers, row := list.entries(), pod.InContainer(e.field)
	found := fmt.Sprintf("c.?%s.orValue([])", e.field)
	hasKey := fmt.Sprintf("%s.exists(e, %s)", found, e.hasKey("e"))
	noun := row.KeyNoun()
	if e.field == "envFrom" {
		noun = "source of variables"
	}
	subject := fmt.Sprintf("%s %q of the app's container \"", noun, e.key)
	text := func(rest string) string { return fmt.Sprintf(`%s + c.name + %s`, quote(subject), quote(`" `+rest)) }

	if isFirst && e.field != "env" {
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
			v.eachApart(finding.OutOfDate, "differs", containers, differs, text("differs"))
			return
		}
		v.eachApart(row.Taken.Code, "differs", containers, differs, text(fmt.Sprintf(
			"differs from the injector's; make them equal, or set spec.onConflict.%s to Keep or Replace", row.Taken.Field)))
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
	for _, used := range pod.UsedVariables(value) {
		const names = "c.?env.orValue([]).map(e, e.name)"
		v.each(finding.EnvConflict, containers, fmt.Sprintf("%s && %s.indexOf(%s) > %s.indexOf(%s)", lacksPart, names, quote(used),
			names, quote(name)), text(fmt.Sprintf("comes before %q, which the value that is joined to it uses; move %[1]q before %[2]q "+
			"in the manifest", used, name)))
	}
	v.each(finding.OutOfDate, containers, lacksPart, text("lacks what is joined to it"))
}
