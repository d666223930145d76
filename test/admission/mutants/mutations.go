package main

// mutation is a mistake in one place of a file of internal/admission.
type mutation struct{ name, file, old, replacement string }

var mutations = []mutation{
	{"empty never-selector", "selection.go", `never = "true" //`, `never = "false" //`},
	{"neverInjectSelector selects", "selection.go", `"!(" + never + ")"`, `"(" + never + ")"`},
	{"hostNetwork ignored", "selection.go", `if in.Spec.HostNetwork != v1alpha1.PodInject {`, `if false {`},
	{"jobs negated", "selection.go", `"!variables.finishes"}`, `"variables.finishes"}`},
	{"source api", "selection.go", `in ["", "api"]`, `in [""]`},
	{"local config", "selection.go", `orValue("") != "true"`, `orValue("") != "yes"`},
	{"namespaces.exclude ignored", "selection.go", `ReservedNamespaces(), namespaces.Exclude)`, `ReservedNamespaces())`},
	{"namespaces.include negated", "selection.go", `"("+included+")"`, `"!("+included+")"`},
	{"star of patterns", "selection.go", `".*"`, `".+"`},
	{"question mark of patterns", "selection.go", `".").Replace(escaped)`, `".?").Replace(escaped)`},
	{"end of patterns", "selection.go", `.Replace(escaped) + "$"`, `.Replace(escaped)`},
	{"label of the namespace's name", "selection.go", `return "true", func(`, `return "false", func(`},
	{"labels with empty values", "selection.go", `if !slices.Contains(values, "") {`, `if true {`},
	{"NotIn", "selection.go", `"!("+isOneOf(e.Values)+")"`, `isOneOf(e.Values)`},
	{"DoesNotExist", "selection.go", `"!("+exists+")"`, `exists`},
	{"policy: disabled", "selection.go", `without = "false"`, `without = "true"`},
	{"one of two markers", "selection.go", `%[1]s.all(v, %[4]s) :`, `%[1]s.exists(v, %[4]s) :`},
	{"classic annotation", "selection.go", `.orValue("") != "" ?`, `.orValue("") == "" ?`},
	{"misspelt markers ignored", "selection.go", `without := "!" + marker.misspelt`, `without := "true || " + marker.misspelt`},
	{"marker in capitals", "selection.go", `v.trim().lowerAscii() == "true"`, `v.trim() == "true"`},
	{"names that are booleans", "selection.go", `if selection.IsBooleanWord(name) {`, `if false {`},
	{"way out in an emergency", "selection.go", "\"!(\" + strings.Join(outs, \" &&\\n\") + \")\"", `"true"`},
	{"two markers", "selection.go", `strings.Join(outs, " &&\n")`, `strings.Join(outs, " ||\n")`},
	{"namespaces left alone", "selection.go", `return !slices.Contains(left, name)`, `return slices.Contains(left, name)`},

	{"longest misspelt key", "misspelt.go", `size(k) <= %d`, `size(k) < %d`},
	{"stamps are no markers", "misspelt.go", `if domain == v1alpha1.Group {`, `if false {`},
	{"letters left out", "misspelt.go", "\t\te.add(word, done+1, left-1)\n", ""},
	{"letters swapped", "misspelt.go", `if done+1 < len(e.name) {`, `if false {`},

	{"created for any reason", "mutate.go", `slices.Compact(made.conditions), " || "`, `slices.Compact(made.conditions), " && "`},
	{"created over what is there", "mutate.go", `"(object%s.hasValue() || !(%s) ?`, `"(!object%s.hasValue() || !(%s) ?`},
	{"created last", "mutate.go", `append(all, c.operations...)`, `append(c.operations, all...)`},
	{"first of none", "mutate.go", `+ [size(%s)])[0]", list, condition, list)`, `+ [size(%s) - 1])[0]", list, condition, list)`},
	{"names behind an insertion", "mutate.go", `i >= %[2]s, n)", list`, `i > %[2]s, n)", list`},
	{"app's init containers", "mutate.go", "\tc.addAppContainers(initContainersList)\n", ""},
	{"pull secrets", "mutate.go", "\tc.addPullSecrets()\n", ""},
	{"metadata", "mutate.go", "\tc.addMetadata()\n", ""},

	{"null in the payload", "cel.go", `if node.IsNull(value) {`, `if false {`},
	{"numbers with a fraction", "cel.go", `if !strings.Contains(text, ".") {`, `if false {`},
	{"literals of several types", "cel.go", `|| value.ShortTag() != "!!str"`, ``},

	{"pods that finish", "compiler.go", `!= "Always"`, `== "Never"`},
	{"init containers are declared", "compiler.go", `slices.Concat(in.InitContainers, in.Containers)`, `slices.Concat(in.Containers)`},
	{"names that begin with a digit", "compiler.go", `id = "_" + id`, `_ = id`},

	{"larger quantities", "declared.go", `.compareTo(quantity(%s)) == 0)`, `.compareTo(quantity(%s)) >= 0)`},
	{"fractions of thousandths", "declared.go", `quantity.RoundUp(resource.Milli)`, `_ = quantity`},
	{"zero values with a default", "declared.go", `defaulted[name] && value == zeroOf(value)`, `false`},
	{"protocol of ports", "declared.go", "`e.?protocol.orValue(\"TCP\") == \"TCP\"`", `"true"`},
	{"longer lists", "declared.go", `"size(%s.orValue([])) == %d"`, `"size(%s.orValue([])) >= %d"`},
	{"empty mappings", "declared.go", `if len(conditions) == 0 && isPointer {`, `if false {`},
	{"words of CEL", "declared.go", ` && !celWords[key]`, ``},
	{"ports that are 0", "declared.go", `!= reflect.TypeFor[intstr.IntOrString]()`, `!= reflect.TypeFor[*intstr.IntOrString]()`},

	{"API version", "document.go", `p.options.Minor < firstStable`, `p.options.Minor <= firstStable`},
	{"long chains", "document.go", `for len(parts) > maxChain {`, `for false {`},
	{"labels end in a letter", "document.go", `strings.Trim(text[:min(most, len(text))], "-_.")`, `text[:min(most, len(text))]`},
	{"line breaks in comments", "document.go", `if !unicode.IsPrint(r) {`, `if !unicode.IsPrint(r) && r == 0 {`},
	{"long names", "document.go", `if len(name) > maxName {`, `if false {`},
	{"namespaceSelector", "document.go", `if len(of.leftAlone) > 0 {`, `if false {`},
}
