package test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/edge/files"
)

// besideComponents are the fields of a kustomization that may be set beside a component with functions. kustomize
// applies all others after the component, so that Pillion does not see what they set, such as a namespace.
var besideComponents = []string{"apiVersion", "kind", "metadata", "resources", "components"}

// TestNothingIsSetBesideAComponentWithFunctions finds kustomizations in examples and pipelines in which Pillion decides
// by other manifests than those that are deployed. Such a mistake builds without a message.
func TestNothingIsSetBesideAComponentWithFunctions(t *testing.T) {
	checked := 0
	for _, tree := range []string{"examples", "pipelines", "docs"} {
		err := filepath.WalkDir(filepath.Join(root, tree), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains(files.Kustomizations(), entry.Name()) {
				return err
			}
			fields := kustomizationFields(t, readFile(t, path))
			if !slices.ContainsFunc(listOf(fields["components"]), func(dir string) bool { return hasFunctions(t, path, dir) }) {
				return nil
			}
			checked++
			reportBeside(t, path, fields)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 2 {
		t.Errorf("%d kustomizations with such components were found; there are more", checked)
	}
}

// snippet matches the text of a kustomization on a page: a block of YAML, or a file that a script writes.
var snippet = regexp.MustCompile("(?s)```yaml[^\n]*\n(.*?)```|<<'EOF'\n(.*?)\nEOF\n")

// TestNothingIsSetBesideAComponentOnPages finds the same mistake in what users copy from pages.
func TestNothingIsSetBesideAComponentOnPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	readmes, err := filepath.Glob(filepath.Join(root, "examples", "*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range slices.Concat(pages, readmes, []string{filepath.Join(root, "README.md")}) {
		for _, match := range snippet.FindAllStringSubmatch(readFile(t, page), -1) {
			var fields map[string]any
			if yaml.Unmarshal([]byte(match[1]+match[2]), &fields) != nil {
				continue // it is not one document of YAML
			}
			components := listOf(fields["components"])
			isArgoCD := filepath.Base(page) == "argocd.md" // whose components have patches and no functions
			if len(components) == 0 || isArgoCD {
				continue
			}
			checked++
			reportBeside(t, page, fields)
		}
	}
	if checked == 0 {
		t.Error("no kustomization was found on any page")
	}
	for _, component := range []string{"component", "plugin"} {
		if hasFunctions(t, filepath.Join(root, "pipelines", "argocd", "kustomization.yaml"), component) {
			t.Error("a component for Argo CD has functions, so its page must be checked too")
		}
	}
}

func reportBeside(t *testing.T, path string, fields map[string]any) {
	t.Helper()
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(besideComponents, field) {
			t.Errorf("%s: %s is beside a component that runs Pillion, which does not see it; set it one directory down",
				strings.TrimPrefix(path, root), field)
		}
	}
}

func kustomizationFields(t *testing.T, text string) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// hasFunctions reports whether a component, named in a kustomization, has transformers, or a component below it does.
func hasFunctions(t *testing.T, kustomization, dir string) bool {
	t.Helper()
	component := filepath.Join(filepath.Dir(kustomization), dir, "kustomization.yaml")
	fields := kustomizationFields(t, readFile(t, component))
	return len(listOf(fields["transformers"])) > 0 ||
		slices.ContainsFunc(listOf(fields["components"]), func(below string) bool { return hasFunctions(t, component, below) })
}

// listOf returns the texts of a list in a decoded YAML document.
func listOf(value any) []string {
	entries, _ := value.([]any)
	texts := make([]string, len(entries))
	for i, entry := range entries {
		texts[i], _ = entry.(string)
	}
	return texts
}
