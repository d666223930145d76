package test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// modules are those that have code of Pillion, by their directories.
var modules = []string{".", "audit", "api/v1alpha1/generate", "test/admission", "test/formats"}

func TestModulesOfKubernetesHaveOneVersion(t *testing.T) {
	pattern := regexp.MustCompile(`(?m)^\s+((?:k8s\.io|sigs\.k8s\.io)/\S+) (\S+)`)
	versions := map[string]string{}
	for _, dir := range modules {
		for _, required := range pattern.FindAllStringSubmatch(readFile(t, filepath.Join(root, dir, "go.mod")), -1) {
			name, version := required[1], required[2]
			if known, isKnown := versions[name]; isKnown && known != version {
				t.Errorf("%s requires %s %s, and another module requires %s", dir, name, version, known)
			}
			versions[name] = version
		}
	}
	if versions["k8s.io/api"] == "" {
		t.Error("no module requires k8s.io/api")
	}
}

// TestModuleRequiresWhatItsPackagesNeed checks that those who import Pillion get no modules that only tests need,
// except two.
func TestModuleRequiresWhatItsPackagesNeed(t *testing.T) {
	required := mustRun(t, root, "", "go", "list", "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all").stdout
	imports := mustRun(t, root, "", "go", "list", "-f", `{{join .Imports "\n"}}`,
		".", "./api/...", "./finding/...", "./fn/...", "./transformers/...", "./internal/...", "./pipelines/...").stdout
	for _, module := range slices.DeleteFunc(strings.Fields(required), func(m string) bool {
		return m == "github.com/google/go-cmp" || m == "github.com/rogpeppe/go-internal"
	}) {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(module) + `(/|$)`).MatchString(imports) {
			t.Errorf("only tests import %s; move them to test/formats", module)
		}
	}
}
