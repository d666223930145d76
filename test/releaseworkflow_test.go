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

// TestEveryImageIsPushed compares the images that the Dockerfile makes with those that the workflow builds and pushes.
func TestEveryImageIsPushed(t *testing.T) {
	var workflow struct {
		Jobs struct {
			Build struct {
				Steps []struct{ Run string }
			}
			Push struct {
				Strategy struct {
					Matrix struct {
						Include []struct{ Program, Suffix string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(root, ".github", "workflows", "release.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	var pushed, programs []string
	for _, image := range workflow.Jobs.Push.Strategy.Matrix.Include {
		pushed = append(pushed, image.Program)
		if image.Program != "pillion"+image.Suffix {
			t.Errorf("%s is pushed as pillion%s", image.Program, image.Suffix)
		}
	}
	stages := regexp.MustCompile(`(?m)^FROM files AS (\S+)$`)
	for _, stage := range stages.FindAllStringSubmatch(readFile(t, filepath.Join(root, "Dockerfile")), -1) {
		programs = append(programs, stage[1])
	}
	slices.Sort(pushed)
	slices.Sort(programs)
	if len(pushed) < 3 || !slices.Equal(pushed, programs) {
		t.Errorf("pushed are %q, and the Dockerfile makes %q", pushed, programs)
	}
	const built, moved = "make dist/pillion{,-audit,-argocd}/linux-{amd64,arm64} ", "mv dist/pillion{,-audit,-argocd} release/"
	for _, command := range []string{built, moved} {
		has := func(step struct{ Run string }) bool { return strings.Contains(step.Run, command) }
		if !slices.ContainsFunc(workflow.Jobs.Build.Steps, has) {
			t.Errorf("no step runs %s", command)
		}
	}
}

// TestTheEnvironmentDoesNotChangeTheImage checks that the build of the programs in images sets what it would take from
// the environment.
func TestTheEnvironmentDoesNotChangeTheImage(t *testing.T) {
	for _, target := range []string{"dist/pillion/linux-amd64", "dist/pillion-audit/linux-arm64", "dist/pillion-argocd/linux-arm64"} {
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
