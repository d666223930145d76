package test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEveryPublishedFileIsAttested compares what the workflow publishes with what it attests: SECURITY.md promises the
// provenance of every file.
func TestEveryPublishedFileIsAttested(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run  string
				With map[string]any
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(root, ".github", "workflows", "release.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	var published, attested []string
	for _, step := range workflow.Jobs["publish"].Steps {
		if strings.Contains(step.Run, "gh release create") {
			published = append(published, regexp.MustCompile(`release/\S+`).FindAllString(step.Run, -1)...)
		}
		if paths, ok := step.With["subject-path"].(string); ok {
			attested = append(attested, strings.Fields(paths)...)
		}
	}
	slices.Sort(published)
	slices.Sort(attested)
	if len(published) == 0 || !slices.Equal(published, attested) {
		t.Errorf("published are %q, and attested are %q", published, attested)
	}
}

// TestTheEnvironmentDoesNotChangeTheImage checks that the build of the programs in images sets what it would take from
// the environment.
func TestTheEnvironmentDoesNotChangeTheImage(t *testing.T) {
	for _, target := range []string{"dist/pillion/linux-amd64", "dist/pillion-audit/linux-arm64"} {
		commands := run(t, root, "", tool(t, "make"), "--dry-run", target).stdout
		for _, variable := range []string{
			"GOFLAGS=-trimpath", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0",
		} {
			if !strings.Contains(commands, variable+" ") {
				t.Errorf("make %s does not set %s:\n%s", target, variable, commands)
			}
		}
	}
}
