package pod_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

func TestSearchFindsPodTemplates(t *testing.T) {
	const containers = "{spec: {containers: [{name: a}]}}"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"at the usual place":        {"spec: {template: " + containers + "}", []string{"spec.template"}},
		"in a template of jobs":     {"spec: {jobTemplate: {spec: {template: " + containers + "}}}", []string{"spec.jobTemplate.spec.template"}},
		"in entries of lists, once": {"spec: {tasks: [{}, {a: " + containers + "}, {a: " + containers + "}]}", []string{"spec.tasks[].a"}},
		"as entries of a list":      {"spec: {pods: [" + containers + "]}", []string{"spec.pods[]"}},
		"at several places":         {"spec: {a: " + containers + ", b: " + containers + "}", []string{"spec.a", "spec.b"}},
		"at an alias":               {"a: &a " + containers + "\nb: *a", []string{"a", "b"}},
		"as the object itself":      {containers, []string{""}},
		"not inside of another":     {"a: {spec: {containers: [{name: b}], x: " + containers + "}}", []string{"a"}},
		"not by images in strings":  {"a: {spec: {containers: [b, c]}}", nil},
		"not where no path leads":   {"a.b: " + containers + "\nc: [[" + containers + "]]", nil},
		"not at a very long name":   {"? " + strings.Repeat("a", 254) + "\n: " + containers, nil},
		"not in an empty list":      {"a: {spec: {containers: []}}", nil},
	} {
		var document node.Node
		if err := read.Into([]byte(test.text), &document); err != nil {
			t.Fatal(err)
		}
		paths := pod.Search(document.Content[0], len(test.text))
		if !slices.Equal(paths, test.want) {
			t.Errorf("%s: got %q, want %q", name, paths, test.want)
		}
		for _, path := range paths {
			if path != "" && !pod.IsPath(path) {
				t.Errorf("%s: a config cannot declare %q", name, path)
			}
		}
	}
}

// Without the bound, the search would never end.
func TestSearchIsNotMultipliedByAliases(t *testing.T) {
	text := "a0: &a0 {x: 1}\n"
	for i := range 9 {
		fields := make([]string, 50)
		for j := range fields {
			fields[j] = fmt.Sprintf("f%d: *a%d", j, i)
		}
		text += fmt.Sprintf("a%d: &a%d {%s}\n", i+1, i+1, strings.Join(fields, ", "))
	}
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if paths := pod.Search(document.Content[0], len(text)); paths != nil {
		t.Errorf("got %q", paths)
	}
}

func TestKindsOfOtherGroupsAreNotMistakes(t *testing.T) {
	for _, object := range [][2]string{
		{"v1", "Service"},
		{"", "Service"},
		{"v1", "Pod"},
		{"apps/v1", "Deployment"},
		{"batch/v1beta1", "CronJob"},
		{"serving.knative.dev/v1", "Service"},
		{"pkg.crossplane.io/v1", "Configuration"},
		{"example.com/v1", "Deployment"},
	} {
		if meant := pod.MeantVersion(object[0], object[1]); meant != "" {
			t.Errorf("%v: got %s", object, meant)
		}
	}
}
