package admission

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/test/source"
)

// tally counts what was compared.
type tally map[string]int

func (c tally) print(t *testing.T) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(c)) {
		t.Logf("%5d %s", c[key], key)
	}
}

// check compares the pods of a case, if its config can be exported.
func (c tally) check(t *testing.T, config, items string) {
	t.Helper()
	subject, err := Compile(config, nil)
	var notExportable *NotExportableError
	switch {
	case errors.As(err, &notExportable):
		c["cases: not exportable"]++
		for _, field := range notExportable.Fields() {
			c["not exportable: "+field]++
		}
		return
	case err != nil && strings.HasPrefix(err.Error(), "config: "):
		c["cases: bad config"]++
		return
	case err != nil:
		t.Fatal(err)
	}
	c["cases: exportable"]++
	for _, pod := range Find(items) {
		if isStamped(pod.Manifest) {
			c["pods: left out, they have a stamp"]++
			continue
		}
		if hasNullMetadata(pod.Manifest) {
			c["pods: left out, they have null metadata"]++
			continue
		}
		if hasOtherMarker(pod.Manifest) {
			c["pods: left out, they have a marker that policies do not know"]++
			continue
		}
		comparison, err := subject.Compare(pod.Manifest, pod.Namespace)
		if err != nil {
			c["pods: left out, no API server accepts them"]++
			t.Logf("%s: %v", pod.Name, err)
			continue
		}
		// Policies leave two things of one name, and fields that exclude each other, to the API server.
		if comparison.Outcome == "refused InvalidItem" || comparison.Outcome == "refused InvalidPod" {
			c["pods: left out, no API server accepts them"]++
			continue
		}
		c["pods: compared"]++
		c["pods: "+comparison.Outcome]++
		for _, problem := range comparison.Problems {
			t.Errorf("%s: %s", pod.Name, problem)
		}
	}
}

// hasNullMetadata reports whether a label or annotation is null: in a file it is not set, and the API server makes it
// an empty text.
func hasNullMetadata(manifest map[string]any) bool {
	metadata, _ := manifest["metadata"].(map[string]any)
	for _, field := range []string{"labels", "annotations"} {
		values, _ := metadata[field].(map[string]any)
		for _, value := range values {
			if value == nil {
				return true
			}
		}
	}
	return false
}

// hasOtherMarker reports whether a pod has an annotation by which Pillion leaves it alone or selects it, and policies
// do not: a misspelt marker, that of the classic Initializer, or one that only files have.
func hasOtherMarker(manifest map[string]any) bool {
	metadata, _ := manifest["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for key := range annotations {
		if key == "pillion.dev/injekt" || key == "config.kubernetes.io/local-config" ||
			strings.HasPrefix(key, "initializer.kubernetes.io/") {
			return true
		}
	}
	return false
}

func isStamped(manifest map[string]any) bool {
	metadata, _ := manifest["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for key := range annotations {
		if strings.HasPrefix(key, stamp.Key("")) {
			return true
		}
	}
	return false
}

func TestCases(t *testing.T)    { checkSources(t, source.Cases) }
func TestExamples(t *testing.T) { checkSources(t, source.Examples) }

// TestPresets compares the presets on a Deployment and a Job: six as they are, and four with the label that has the
// name of the service.
func TestPresets(t *testing.T) {
	counts, apps := tally{}, strings.Join(loaded(t, source.Presets)[0].Items, "---\n")
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			settings := p.Example()
			if strings.HasPrefix(p.Name, "otel-") {
				settings = append(settings, "name-label=app")
			}
			config, err := p.Injector("injector.yaml", settings)
			if err != nil {
				t.Fatal(err)
			}
			counts.check(t, config, apps)
		})
	}
	counts.print(t)
	if counts["cases: exportable"] != len(preset.All) {
		t.Error("some presets cannot be exported")
	}
}

func checkSources(t *testing.T, load func(root string) ([]source.Source, error)) {
	t.Helper()
	counts := tally{}
	for _, s := range loaded(t, load) {
		t.Run(s.Name, func(t *testing.T) { counts.check(t, s.Config, strings.Join(s.Items, "---\n")) })
	}
	counts.print(t)
}

// loaded returns sources of the repository.
func loaded(t *testing.T, load func(root string) ([]source.Source, error)) []source.Source {
	t.Helper()
	all, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	return all
}
