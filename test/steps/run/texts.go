package main

import (
	"fmt"
	"strings"
)

// text is a way in which a text can grow.
type text struct {
	name string
	kind kind
	make func(size int) string
}

// kind is a kind of texts.
type kind int

const (
	raw     kind = 1 << iota // a piece that comes again and again
	inside                   // the same inside of a pod, in one of several ways
	shape                    // a pod or a list that is large in some way
	objects                  // objects that decide about pods, and many pods
)

const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations:\n    a: b\nspec:\n  containers:\n  - name: a\n    image: b\n"

// texts are repeated pieces: alone, in a scalar and in a pod.
var texts = allTexts()

func allTexts() []text {
	var all []text
	for _, piece := range []string{
		"a", "a ", "a\n", " ", "\n", "\t", "\r", "\r\n", "a: b\n", "a:\n", "- ", "- a\n", "- - a\n", "? a\n",
		": ", ":", "[", "[]", "{", "{a: ", "{}", "]", "}", ",", "a,", "{a: b},",
		`"`, `""`, `"\"`, `\`, `\"`, `"\""`, `\u0041`, `\ud83d\ude00`,
		"'", "''", `"a": `, "#", "# c\n", " # c\n", "%", "%TAG !a! b\n", "%YAML 1.1\n",
		"&a ", "*a ", "!t ", "!", "&", "*", "<<: *a\n", "|\n", ">\n", "---\n", "--- ", "...\n", "é", "\u2028", "\u0085", "\ufeff", "\x00", "\xff",
		"{{", "{{ x }}", "{{ x }}\n", "$", "$$", "${", "${a", "${workload.name}", "}$", "(", "((", ")",
		"1", "1+", "cpu*", "max(", "9", "e9", "-", "%",
		"/", "a/", "**", "*/", "!a\n", "*a*\n", "[a", "\\*",
		`{"a":`, `"a":{},`, "kind: Pod\n", "items:\n", "apiVersion: v1\nkind: Pod\n---\n", "~", "null\n",
	} {
		repeated := func(size int) string { return strings.Repeat(piece, size) }
		all = append(all,
			text{fmt.Sprintf("%q", piece), raw, repeated},
			text{fmt.Sprintf("pod with %q", piece), inside, func(size int) string { return pod + repeated(size) }},
			text{fmt.Sprintf("double-quoted %q", piece), inside, func(size int) string {
				return pod + `x: "` + strings.ReplaceAll(strings.ReplaceAll(repeated(size), `"`, `\"`), "\n", "\n  ") + "\"\n"
			}},
			text{fmt.Sprintf("block of %q", piece), inside, func(size int) string {
				return pod + "x: |\n  " + strings.ReplaceAll(repeated(size), "\n", "\n  ") + "\n"
			}},
			text{fmt.Sprintf("in brackets %q", piece), inside, func(size int) string { return pod + "x: [" + repeated(size) + "]\n" }},
		)
	}
	for name, grow := range shapes {
		all = append(all, text{name, shape, grow})
	}
	return all
}

// numbered returns a function that formats each number below a size, one after the other.
func numbered(format string) func(int) string {
	return func(size int) string {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

func nested(open, end string) func(int) string {
	return func(size int) string { return strings.Repeat(open, size) + strings.Repeat(end, size) }
}

func indented(size int, line string) string {
	var b strings.Builder
	for i := range size {
		b.WriteString(strings.Repeat(" ", min(i, 2000)) + line + "\n")
	}
	return b.String()
}

// shapes are pods and lists that are wide, deep, or both.
var shapes = map[string]func(size int) string{
	"deep lists in brackets":  func(n int) string { return pod + "x: " + nested("[", "]")(n) + "\n" },
	"deep mappings in braces": func(n int) string { return pod + "x: " + nested("{a: ", "}")(n) + "\n" },
	"deep JSON": func(n int) string {
		return `{"kind":"Pod","a":` + nested(`{"a":`, "}")(n)[:n*5] + "1" + strings.Repeat("}", n+1)
	},
	"deep lists on a line":   func(n int) string { return pod + "x:\n- " + strings.Repeat("- ", n) + "a\n" },
	"wide mapping":           func(n int) string { return pod + numbered("k%d: v\n")(n) },
	"wide mapping in braces": func(n int) string { return "{apiVersion: v1, kind: Pod, " + numbered("k%d: v, ")(n) + "}" },
	"wide JSON":              func(n int) string { return `{"apiVersion":"v1","kind":"Pod"` + numbered(`,"k%d":"\/"`)(n) + "}" },
	"annotations":            func(n int) string { return strings.Replace(pod, "    a: b\n", numbered("    a%d: b\n")(n), 1) },
	"containers":             func(n int) string { return pod + numbered("  - name: c%d\n    image: b\n")(n) },
	"variables":              func(n int) string { return pod + "    env:\n" + numbered("    - name: E%d\n      value: $(E)\n")(n) },
	"ports":                  func(n int) string { return pod + "    ports:\n" + numbered("    - containerPort: %d\n")(n) },
	"mounts and volumes": func(n int) string {
		return pod + "    volumeMounts:\n" + numbered("    - {name: v%[1]d, mountPath: /%[1]d}\n")(n) +
			"  volumes:\n" + numbered("  - name: v%d\n")(n)
	},
	"anchors":                  func(n int) string { return pod + numbered("k%[1]d: &a%[1]d v\n")(n) },
	"anchors and aliases":      func(n int) string { return pod + numbered("k%[1]d: &a%[1]d v\nl%[1]d: *a%[1]d\n")(n) },
	"one anchor, many aliases": func(n int) string { return pod + "a: &a {b: c}\n" + numbered("k%d: *a\n")(n) },
	"merge keys":               func(n int) string { return pod + "a: &a {b: c}\n" + numbered("k%d: {<<: *a}\n")(n) },
	"a chain of aliases":       func(n int) string { return pod + "a0: &a0 b\n" + numbered("k%[1]d: &b%[1]d [*a0]\n")(n) },
	"repeated keys":            func(n int) string { return pod + strings.Repeat("k: v\n", n) },
	"comments between keys":    func(n int) string { return pod + numbered("# c\nk%d: v # d\n")(n) },
	"comments above a key":     func(n int) string { return pod + strings.Repeat("  # c\n", n) + "k: v\n" },
	"comments in brackets":     func(n int) string { return pod + "x: [\n" + strings.Repeat("  a, # c\n  # d\n", n) + "]\n" },
	"blank lines between keys": func(n int) string { return pod + numbered("\n\nk%d: v\n")(n) },
	"documents":                func(n int) string { return strings.Repeat("---\n"+pod, n/4) },
	"documents with comments":  func(n int) string { return strings.Repeat("---\n# c\n", n) + pod },
	"members of a list": func(n int) string {
		return "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- {kind: Pod}\n", n)
	},
	"members on one line": func(n int) string {
		return "{apiVersion: v1, kind: List, items: [" + strings.Repeat("{kind: Pod}, ", n) + "]}"
	},
	"members with an odd break": func(n int) string {
		return "{apiVersion: v1, kind: List, items: [" + strings.Repeat("{kind: Pod, x: \"\u2028\"}, ", n) + "]}"
	},
	"odd members": func(n int) string {
		return "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- kind: \"P\\x6fd\"\n", n)
	},
	"lists in lists":        func(n int) string { return strings.Repeat("{kind: List, items: [", n) + strings.Repeat("]}", n) },
	"a key over lines":      func(n int) string { return pod + "? " + strings.Repeat("a\n  ", n) + "\n: b\n" },
	"a long key":            func(n int) string { return pod + strings.Repeat("k", n) + ": v\n" },
	"single quotes":         func(n int) string { return pod + numbered("k%d: 'it''s'\n")(n) },
	"blocks of text":        func(n int) string { return pod + numbered("k%d: |\n  a\n\n  b\n")(n) },
	"folded blocks of text": func(n int) string { return pod + numbered("k%d: >-\n  a\n\n  b\n")(n) },
	"directives":            func(n int) string { return numbered("%%TAG !a%d! b\n")(n) + "---\n" + pod },
	"tags":                  func(n int) string { return pod + numbered("k%d: !t v\n")(n) },
	"a config of variables": func(n int) string { return strings.Replace(config, "NAME", strings.Repeat("${workload.name}", n), 1) },
	"a config of arguments": func(n int) string { // half as many, because a list of a config is refused above 1,000 entries
		return strings.Replace(config, "NAME", "\", "+numbered("\"a%d\", ")(n/2)+"\"", 1)
	},
	"variables on one line": func(n int) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},` +
			`"spec":{"containers":[{"name":"é","image":"b","env":[{"name":"E","value":"v"}` + numbered(`,{"name":"E%d","value":"v"}`)(n) + "]}]}}\n"
	},
	"containers on one line": func(n int) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"a","image":"b"}` +
			numbered(`,{"name":"c%d","image":"b"}`)(n) + "]}}\n"
	},
	"keys that differ by their tags": func(n int) string { return pod + "x:\n" + numbered("  !t%d k: v\n")(n) },
	"templates":                      func(n int) string { return pod + numbered("k%d: {{ .x }}\n")(n) },
}

func init() {
	// Each line is as long as it is deep, so there are fewer of them.
	shapes["deep mappings by indentation"] = func(n int) string { return pod + "x:\n" + indented(n/4, "a:") }
	shapes["deep lists by indentation"] = func(n int) string { return pod + "x:\n" + indented(n/4, "-") }
}

const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\n" +
	"spec:\n  containers: [{name: logs, image: i, args: [\"NAME\"]}]\n"
