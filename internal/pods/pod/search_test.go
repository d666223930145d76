package pod_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
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
		"bare in the spec":          {containers, []string{"bare spec"}},
		"bare in the object":        {"containers: [{image: a}]", []string{"bare undeclared "}},
		"bare at several places": {
			"spec: {a: {containers: [{name: a}], worker: {containers: [{name: b}]}}, b: [{podSpec: {containers: [{image: c}]}}]}",
			[]string{"bare spec.a", "bare spec.a.worker", "bare spec.b[].podSpec"},
		},
		"below a bare one": {"spec: {containers: [{name: a}], x: " + containers + "}", []string{"bare spec", "spec.x"}},
		"in a merge key":   {"a: &a {template: " + containers + "}\nb: {<<: *a}", []string{"a.template", "b.template"}},
		"very deep": {strings.Repeat("a: {", 100) + "b: " + containers + strings.Repeat("}", 100), []string{
			strings.Repeat("a.", 100) + "b",
		}},
		"not inside of another":    {"a: {spec: {containers: [{name: b}], x: " + containers + "}}", []string{"a"}},
		"not by images in strings": {"a: {spec: {containers: [b, c]}}", nil},
		"where no declared path leads": {
			"a.b: {c: " + containers + "}\nc: [[" + containers + "]]", []string{"undeclared [a.b].c", "undeclared c[][]"},
		},
		"at a very long name":  {"? " + strings.Repeat("a", 254) + "\n: " + containers, []string{"undeclared ..."}},
		"not in an empty list": {"a: {spec: {containers: []}}", nil},
	} {
		var document node.Node
		if err := read.Into([]byte(test.text), &document); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for found := range pod.Search(document.Content[0], len(test.text)) {
			path := found.Path
			if !found.CanBeDeclared() {
				path = "undeclared " + path
			}
			if found.IsBare {
				path = "bare " + path
			}
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
		if !slices.Equal(paths, test.want) {
			t.Errorf("%s: got %q, want %q", name, paths, test.want)
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
	for found := range pod.Search(document.Content[0], len(text)) {
		t.Errorf("got %q", found.Path)
	}
}

func TestOldVersionsAreGone(t *testing.T) {
	for _, object := range []struct{ apiVersion, kind, meant, since string }{
		{"extensions/v1beta1", "Deployment", "apps/v1", "1.16"},
		{"apps/v1beta1", "StatefulSet", "apps/v1", "1.16"},
		{"apps/v1beta2", "DaemonSet", "apps/v1", "1.16"},
		{"batch/v2alpha1", "CronJob", "batch/v1", "1.21"},
		{"batch/v1beta1", "CronJob", "batch/v1", "1.25"},
		{"extensions/v1beta1", "StatefulSet", "apps/v1", ""}, // which it never had
	} {
		meant, since := pod.MeantVersion(object.apiVersion, object.kind)
		if meant != object.meant || since != object.since {
			t.Errorf("%v: got %s, since %s", object, meant, since)
		}
	}
}

func TestKindsOfOtherGroupsAreNotMistakes(t *testing.T) {
	for _, object := range [][2]string{
		{"v1", "Service"},
		{"", "Service"},
		{"v1", "Pod"},
		{"apps/v1", "Deployment"},
		{"serving.knative.dev/v1", "Service"},
		{"pkg.crossplane.io/v1", "Configuration"},
		{"example.com/v1", "Deployment"},
	} {
		if meant, _ := pod.MeantVersion(object[0], object[1]); meant != "" {
			t.Errorf("%v: got %s", object, meant)
		}
	}
}
