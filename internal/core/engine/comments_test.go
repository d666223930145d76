package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	kubernetes "sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

var comment = regexp.MustCompile(`(?m)(?:^|[ \t])#.*$`)

// checkComments makes sure that every comment of a workload is still there: in the file, or in a stamp
// with the text that an injector replaced.
func checkComments(t *testing.T, first, after string) {
	t.Helper()
	if lost := lostComments(t, first, after); len(lost) > 0 {
		t.Errorf("comments are lost: %q in:\n%s", lost, after)
	}
}

func (h *history) keepsComments(first, after string) {
	if lost := lostComments(h.T, first, after); len(lost) > 0 {
		h.fail("comments are lost: %q", lost)
	}
}

func lostComments(t *testing.T, first, after string) (lost []string) {
	t.Helper()
	left := map[string]int{}
	for _, text := range append(keptTexts(t, after), after) {
		for _, found := range comment.FindAllString(text, -1) {
			left[strings.TrimSpace(found)]++
		}
	}
	for _, found := range comment.FindAllString(first, -1) {
		found = strings.TrimSpace(found)
		left[found]--
		if left[found] < 0 {
			lost = append(lost, found)
		}
	}
	return lost
}

// keeps makes sure that nothing but pod templates says something else than before, and that readers of YAML read the
// same unless they differed before, as they do about yes and on, or differ about what a stamp kept and gives back.
func (h *history) keeps(before, after string) {
	h.Helper()
	was, differed := h.objects(before)
	is, differs := h.objects(after)
	if differs != "" && differed == "" && !slices.ContainsFunc(keptTexts(h.T, before), readersDiffer) {
		h.fail("readers read it differently:\n%s", differs)
	}
	if len(was) != len(is) {
		h.fail("%d objects have become %d", len(was), len(is))
		return
	}
	for i := range was {
		if diff := cmp.Diff(withoutPods(was[i]), withoutPods(is[i])); diff != "" {
			h.fail("more than the pod template changes (-before +after):\n%s", diff)
		}
	}
}

// objects are the objects in a file as kubectl reads them, and in what the YAML library differs.
func (h *history) objects(text string) (objects []map[string]any, differs string) {
	h.Helper()
	for document := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "---\n") {
		var one, other map[string]any
		if err := errors.Join(kubernetes.Unmarshal([]byte(document), &one), yaml.Unmarshal([]byte(document), &other)); err != nil {
			h.fail("%v in:\n%s", err, document)
			return nil, ""
		}
		differs += cmp.Diff(jsonOf(h.T, one), jsonOf(h.T, other))
		objects = append(objects, one)
	}
	return objects, differs
}

// readersDiffer tells whether kubectl reads a text that a stamp keeps otherwise than the YAML library.
func readersDiffer(text string) bool {
	var one, other map[string]any
	err := errors.Join(kubernetes.Unmarshal([]byte(text), &one), yaml.Unmarshal([]byte(text), &other))
	return err == nil && fmt.Sprint(one) != fmt.Sprint(other)
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutPods is an object without its pod template, or a Pod without what injections may change.
func withoutPods(object any) any {
	if list, ok := object.([]any); ok {
		list = slices.Clone(list)
		for i := range list {
			list[i] = withoutPods(list[i])
		}
		return list
	}
	m, ok := object.(map[string]any)
	if !ok {
		return object
	}
	kept := map[string]any{}
	for key, value := range m {
		switch {
		case key == "template", m["kind"] == "Pod" && (key == "spec" || key == "metadata"):
		case key == "annotations": // which hold the stamps of bare pod specs
			if others := withoutStamps(value); len(others) > 0 {
				kept[key] = others
			}
		default:
			kept[key] = withoutPods(value)
		}
	}
	return kept
}

func withoutStamps(annotations any) map[string]any {
	others, _ := annotations.(map[string]any)
	others = maps.Clone(others)
	maps.DeleteFunc(others, func(key string, _ any) bool { return strings.HasPrefix(key, "pillion.dev/injected-") })
	return others
}

// textsIn are the texts that a stamp keeps.
func textsIn(t *testing.T, text string) (texts []string) {
	t.Helper()
	s, err := stamp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Changes {
		if c.Before != nil {
			texts = append(texts, *c.Before)
		}
	}
	return texts
}

// keptTexts are the texts that the stamps of a workload keep.
func keptTexts(t *testing.T, items string) (texts []string) {
	t.Helper()
	var visit func(n *node.Node)
	visit = func(n *node.Node) {
		for i, child := range n.Content {
			visit(child)
			if n.Kind == node.MappingNode && i%2 == 1 && strings.HasPrefix(n.Content[i-1].Value, "pillion.dev/injected-") {
				for line := range strings.SplitSeq(strings.TrimSuffix(child.Value, "\n"), "\n") {
					if path, text, _ := strings.Cut(line, " "); path != "1" { // of a bare pod spec
						line = text
					}
					texts = append(texts, textsIn(t, line)...)
				}
			}
		}
	}
	for decoder := yaml.NewDecoder(strings.NewReader(items)); ; {
		var decoded yaml.Node
		err := decoder.Decode(&decoded)
		if errors.Is(err, io.EOF) {
			return texts
		}
		text, marshalErr := yaml.Marshal(&decoded)
		var document node.Node
		if err := errors.Join(err, marshalErr, yamlread.Into(text, &document)); err != nil {
			t.Fatalf("%v in:\n%s", err, items)
		}
		visit(&document)
	}
}
