package admission_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
)

// cannotDo returns the words in backticks of the first column of the table in docs/how-to/admission.md of what policies cannot do.
var cannotDo = sync.OnceValue(func() []string {
	text, err := os.ReadFile("../../docs/how-to/admission.md")
	if err != nil {
		panic(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## What they cannot do\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var words []string
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \| `).FindAllStringSubmatch(section, -1) {
		for _, quoted := range regexp.MustCompile("`[^`]+`").FindAllString(row[1], -1) {
			words = append(words, namesIn(quoted)...)
		}
	}
	return words
})

func namesIn(text string) []string { return regexp.MustCompile(`[A-Za-z]+`).FindAllString(text, -1) }

// isDocumented reports whether the table names a field of the spec, or a variable of its value. The name of a list of the payload is not
// enough: most of what is in it can be exported.
func isDocumented(field, spec string) bool {
	names := namesIn(field)
	if strings.HasPrefix(field, "podSpec.") && !strings.Contains(field, "[") {
		names = names[1:]
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains([]string{"containers", "initContainers", "appContainers", "patchPodMetadata"}, name)
	})
	for _, expression := range regexp.MustCompile(`\$\{[a-z.]+|join:`).FindAllString(spec, -1) {
		names = append(names, namesIn(expression)...)
	}
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(cannotDo(), name) })
}

// TestFieldsThatArriveSetAreDocumented checks that the table lists the fields of podSpec that the API server sets before policies run.
func TestFieldsThatArriveSetAreDocumented(t *testing.T) {
	count := 0
	for _, field := range jsonfield.Of(reflect.TypeFor[corev1.PodSpec]()).Names() {
		if !pod.InSpec(field).Early {
			continue
		}
		count++
		if !slices.Contains(cannotDo(), field) {
			t.Errorf("docs/how-to/admission.md does not list podSpec.%s", field)
		}
	}
	if count < 10 {
		t.Errorf("only %d fields were found", count)
	}
}
