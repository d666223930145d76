package admission

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pillion.dev/pillion/internal/preset"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/test/example"
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
		comparison, err := subject.Compare(pod.Manifest, pod.Namespace)
		if err != nil {
			c["pods: left out, no API server accepts them"]++
			t.Logf("%s: %v", pod.Name, err)
			continue
		}
		c["pods: compared"]++
		c["pods: "+comparison.Outcome]++
		for _, problem := range comparison.Problems {
			t.Errorf("%s: %s", pod.Name, problem)
		}
	}
}

// hasNullMetadata reports whether a label or annotation is null: in a file it is not set, and the API server makes it an empty text.
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

func TestCases(t *testing.T) {
	files, err := filepath.Glob("../../internal/engine/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	counts := tally{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]string{}
		for _, f := range archive.Files {
			sections[f.Name] = string(f.Data)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			counts.check(t, sections["config"], sections["items"])
		})
	}
	counts.print(t)
}

func TestExamples(t *testing.T) {
	dirs, err := filepath.Glob("../../examples/*")
	if err != nil {
		t.Fatal(err)
	}
	counts := tally{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || filepath.Base(dir) == "presets" {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e, err := example.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			counts.check(t, e.FunctionConfig, strings.Join(e.Items, "---\n"))
		})
	}
	counts.print(t)
}

func TestPresets(t *testing.T) {
	var items []string
	for _, name := range []string{"deployment", "job"} {
		text, err := os.ReadFile(fmt.Sprintf("../../examples/presets/app/%s.yaml", name))
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, string(text))
	}
	counts := tally{}
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			config, err := p.Injector("injector.yaml", p.Example())
			if err != nil {
				t.Fatal(err)
			}
			counts.check(t, config, strings.Join(items, "\n---\n"))
		})
	}
	counts.print(t)
}
