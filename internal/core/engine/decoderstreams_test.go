package engine_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// What random streams are made of: things between documents and between lines, characters and tokens at any place, and
// values of keys that readers may take differently.
var (
	separators = []string{
		"", "\n", "\n--- # next\n", "\n---\t\n", "\n...\n", "\n...\n---\n", "\n---# x: \"\n", "\n---# \"\n", "\n---#\n", "\n----\n",
		"\n--- |\n", "\n--- \n", "\n ---\n", "\r\n---\r\n", "\r---\r", "\n---\r", "\n---\n\ufeff", "\n\ufeff---\n", "\u2028---\u2028",
		"\u0085", "\n---\u00a0\n", "\n---\u00a0# x: '\n", "\n--- !!map\n", "\n--- &a\n", "\n# \"\n---\n", " # '\n",
	}
	lineBreaks = []string{"\r\n", "\n\n", "\n# c\n", "\r", "\u2028", "\n\ufeff"}
	tokens     = []string{
		"\r", "\n", "\ufeff", "\u2028", "\u0085", "\u00a0", "\t", " ", "\"", "'", "#", "- ", ": ", "{", "}", "[", "]", ",", "\n---\n", "\n---#",
		"\n\ufeff", "&a ", "*a", "!!str ", "!!binary ", "? ", "|\n", "\\", "\x00", "<<: ", "%",
	}
	oddKeys = []string{
		"<<", "<<", `"<<"`, "!!merge <<", "x", "kind", "items", "apiVersion", "metadata", "? kind\n", "x: &a items\n*a ",
	}
	oddValues = []string{
		"{kind: Deployment}", "{kind: ConfigMap, apiVersion: v1}", "{apiVersion: apps/v1}", "&a Deployment", "*a", "null", "[]", "{}", "~",
		"[{kind: Deployment}, {apiVersion: apps/v1}]", "{items: [{kind: Pod, apiVersion: v1}]}", "Deployment", "ConfigMap", "v1", "apps/v1",
		"yes", "!!str Pod", "'", `"`, `"a: b`, "|\n  kind: Pod\n", "|\n a\n", ">-\n\n  a\n", "|2\n  a\n", "!!set {kind}", "!!omap [kind: Pod]",
	}
	streamKinds = []string{
		"", "Deployment", "Deployment", "Pod", "ConfigMap", "ConfigMap", "List", "DeploymentList", "ResourceList", "CustomResourceDefinition",
		"Basket", "SidecarInjectorList", "AllowList",
	}
	streamVersions = map[string]string{
		"Deployment": "apps/v1", "DeploymentList": "apps/v1", "ResourceList": "config.kubernetes.io/v1",
		"Pod": "v1", "ConfigMap": "v1", "List": "v1", "CustomResourceDefinition": "apiextensions.k8s.io/v1",
		"Basket": "example.com/v1", "AllowList": "example.com/v1",
		"SidecarInjectorList": "pillion.dev/v1alpha1",
	}
)

// stream is a random stream of documents that may hide workloads from some readers.
func (s source) stream() string {
	objects := 0
	text := s.of("", "", "", "\ufeff", "---\n", "# a comment\n", "%YAML 1.1\n---\n", "\n\n")
	for range 1 + s.IntN(3) {
		text += s.streamObject(&objects, false) + s.usually(60, "\n---\n", separators)
	}
	for s.chance(25) {
		at := s.IntN(len(text) + 1)
		text = text[:at] + s.of(tokens...) + text[at:]
	}
	return text
}

// usually is the usual text in so many percent of the cases, and otherwise one of the others.
func (s source) usually(percent int, usual string, others []string) string {
	if s.chance(percent) {
		return usual
	}
	return s.of(others...)
}

// streamObject is an object with its keys in any order and spelling, on lines of its own or in braces. Objects counts
// them.
func (s source) streamObject(objects *int, isItem bool) string {
	*objects++
	kind := s.of(streamKinds...)
	entries := [][2]string{{"metadata", fmt.Sprintf("{name: app%d}", *objects)}}
	add := func(key, value string) { entries = append(entries, [2]string{key, value}) }
	if kind != "" {
		add(s.key("kind"), s.spelled(kind))
		add(s.key("apiVersion"), s.spelled(streamVersions[kind]))
	}
	switch kind {
	case "Deployment", "":
		add("spec", "{template: {spec: {containers: [{name: app, image: app}]}}}")
	case "Pod":
		add("spec", "{containers: [{name: app, image: app}]}")
	}
	if strings.HasSuffix(kind, "List") && !isItem || s.chance(10) {
		add(s.key("items"), s.items(objects))
	}
	for s.chance(12) {
		add(s.of(oddKeys...), s.of(oddValues...))
	}
	s.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	if isItem || s.chance(25) {
		return s.inBraces(entries)
	}
	return s.onLines(entries)
}

func (s source) items(objects *int) string {
	var items []string
	for range s.IntN(3) {
		items = append(items, s.streamObject(objects, true))
	}
	if s.chance(10) {
		items = append(items, s.of("null", "a", "[]", "{}", "*a"))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (s source) inBraces(entries [][2]string) string {
	var pairs []string
	isJSON := s.chance(40)
	for _, e := range entries {
		if isJSON {
			e = [2]string{jsonWord(e[0]), jsonValue(e[1])}
		}
		pairs = append(pairs, e[0]+": "+e[1])
	}
	return "{" + strings.Join(pairs, s.of(", ", ", ", ",\n ", ",\n")) + "}"
}

func (s source) onLines(entries [][2]string) string {
	var lines []string
	for _, e := range entries {
		if e[0] == "items" && s.chance(50) && strings.HasPrefix(e[1], "[{") {
			lines = append(lines, "items:", s.of("- ", "  - ", "-   ")+strings.TrimSuffix(strings.TrimPrefix(e[1], "["), "]"))
			continue
		}
		lines = append(lines, e[0]+": "+e[1]+s.of("", "", "", " ", " # c", "\t"))
	}
	return strings.Join(lines, s.usually(70, "\n", lineBreaks))
}

// key is a key in one of its spellings, or one that looks like it.
func (s source) key(name string) string {
	return s.usually(94, name, []string{
		`"` + name + `"`, "'" + name + "'", "!!str " + name, "? " + name + "\n", "&k " + name, name + " ", escapedFirst(name), "\ufeff" + name,
		"!!binary " + base64Of(name), strings.ToUpper(name[:1]) + name[1:], "!x " + name, "! " + name,
	})
}

// spelled is a value in one of its spellings.
func (s source) spelled(value string) string {
	return s.usually(93, value, []string{
		`"` + value + `"`, "'" + value + "'", "!!str " + value, "&v " + value, escapedFirst(value), "!!binary " + base64Of(value),
		"|-\n  " + value, ">-\n  " + value, "\n  " + value, "! " + value, "!x " + value, "\t" + value, value + "\n  # c",
		"&w\n " + value, "\"\\\n  " + value + `"`,
	})
}

func escapedFirst(text string) string { return fmt.Sprintf(`"\x%02x%s"`, text[0], text[1:]) }

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// jsonWord puts a plain word in quotes, as JSON needs it.
func jsonWord(text string) string {
	if strings.ContainsAny(text, "{[\"'\n!&*") {
		return text
	}
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// jsonValue is the JSON of a value in YAML, or the value itself if it is none.
func jsonValue(text string) string {
	converted, err := yaml.ToJSON([]byte("x: " + text))
	if err != nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(converted), `{"x":`), "}")
}
