//go:build unix

package test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/test/growth"
)

// TestFailuresOfAFleetFitAScreen verifies repositories in the shape of the two with most kustomizations that cannot be
// built of those in which Pillion was tried.
func TestFailuresOfAFleetFitAScreen(t *testing.T) {
	for _, test := range []struct {
		claim  string
		files  func(write func(name, text string))
		failed int
		says   []string
	}{
		{
			claim:  "a monorepo with remote bases and charts",
			files:  monorepoOf(1),
			failed: 279,
			says: []string{
				"\ncomponents/remote000/overlay/kustomization.yaml: error: BuildFailed: " +
					"172 kustomizations need 21 remote sources, and Pillion fetches nothing; ",
				"\n    9 x https://github.com/example/service-0 (components/remote000/overlay and others)\n",
				"error: BuildFailed: 55 kustomizations need Helm for 16 charts, and Pillion runs no programs; ",
				"error: BuildFailed: 23 kustomizations use 23 files or directories that are not there; ",
				"error: BuildFailed: 3 kustomizations use 3 files that cannot be read\n",
				"\n    1 x components/yaml000/base/broken.yaml: line 2: ",
				"components/empty000/overlay/kustomization.yaml: warning: BuildFailed: 26 kustomizations build nothing; ",
				"\n    also components/empty001/overlay, components/empty002/overlay, components/empty003/overlay, and 22 more; -v lists all\n",
				"\n1 workload: 1 unchanged\n",
			},
		},
		{
			claim:  "clusters of Flux, which has no load restrictor",
			files:  clusters,
			failed: 569,
			says: []string{
				"error: BuildFailed: 531 kustomizations use 77 files outside of the kustomizations' own directories; ",
				"\n    455 x apps/base/release.yaml (apps/team00/app040/prod and others)\n",
				"error: BuildFailed: 38 kustomizations use what is not there: apps/base/identity.yaml; ",
			},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			dir := writeHostileTree(t, test.files)
			state, said := verifyTree(t, dir, []string{"-k", ".", "-R"})
			if lines := strings.Count(said, "\n"); state.ExitCode() != 2 || lines > 60 || len(said) > 8<<10 {
				t.Errorf("exit code %d, %d lines, %d bytes", state.ExitCode(), lines, len(said))
			}
			for _, part := range test.says {
				if !strings.Contains(said, part) {
					t.Errorf("it does not say %s", part)
				}
			}
			_, all := verifyTree(t, dir, []string{"-k", ".", "-R", "-v"})
			for _, text := range []string{said, all} {
				if strings.Contains(text, filepath.Dir(dir)) || strings.Contains(text, "/tmp") || strings.Contains(text, "accumulat") {
					t.Errorf("it has absolute paths, or what kustomize says around an error")
				}
			}
			_, listed, _ := strings.Cut(all, "BuildFailed: ") // before that, -v says what is passed over
			if count := strings.Count(listed, "/kustomization.yaml\n"); count != test.failed {
				t.Errorf("-v lists %d of %d kustomizations", count, test.failed)
			}
			if t.Failed() {
				t.Log(said)
			}
		})
	}
}

// TestFailuresTakeTimeInProportion compares the processor times of verify for fleets of two sizes that cannot be built.
func TestFailuresTakeTimeInProportion(t *testing.T) {
	takes := func(times int) func() time.Duration {
		dir := writeHostileTree(t, monorepoOf(times))
		return func() time.Duration {
			state, said := verifyTree(t, dir, []string{"-k", ".", "-R"})
			if state.ExitCode() != 2 {
				t.Fatalf("exit code %d\n%.2000s", state.ExitCode(), said)
			}
			return state.UserTime() + state.SystemTime()
		}
	}
	growth.Linear(t, "279 failures and four times as many", 4, takes(1), takes(4))
}

// monorepoOf returns a tree with a number of times 279 kustomizations that cannot be built, and one that can.
func monorepoOf(times int) func(write func(name, text string)) {
	return func(write func(name, text string)) {
		write("plain/kustomization.yaml", "resources: [pod.yaml]\n")
		write("plain/pod.yaml", injectedPod)
		for kind, component := range map[string]struct {
			count int
			base  func(i int, dir string) string // the text of the kustomization
		}{
			"remote": {172, func(i int, _ string) string {
				return fmt.Sprintf("resources: ['https://github.com/example/service-%d/config/default?ref=%040d', pod.yaml]\n", i%21, i)
			}},
			"chart": {55, func(i int, _ string) string {
				return fmt.Sprintf("helmCharts: [{name: chart-%d, repo: 'https://charts.example.com/stable', version: 1.%d.0}]\n", i%16, i)
			}},
			"empty": {26, func(int, string) string { return "namePrefix: a-\n" }},
			"missing": {23, func(i int, _ string) string {
				return fmt.Sprintf("resources: [pod.yaml, secret-%d.yaml]\n", i)
			}},
			"yaml": {3, func(_ int, dir string) string {
				write(dir+"/broken.yaml", "kind: {{ .Values.kind }}\n\tname: x\n")
				return "resources: [broken.yaml]\n"
			}},
		} {
			for i := range component.count * times {
				dir := fmt.Sprintf("components/%s%03d", kind, i)
				write(dir+"/overlay/kustomization.yaml", "resources: [../base]\n")
				write(dir+"/base/pod.yaml", injectedPod)
				write(dir+"/base/kustomization.yaml", component.base(i, dir+"/base"))
			}
		}
	}
}

// clusters writes 569 kustomizations that cannot be built, 531 of them because of a file outside of its directory.
func clusters(write func(name, text string)) {
	write("apps/base/release.yaml", injectedPod)
	for i := range 569 {
		dir := fmt.Sprintf("apps/team%02d/app%03d/prod", i%40, i)
		text := "resources: [../../../base/release.yaml]\n"
		switch {
		case i%15 == 0:
			text = "resources: [../../../base/identity.yaml]\n"
		case i%7 == 0:
			text = fmt.Sprintf("resources: [../../own%d.yaml]\n", i)
			write(fmt.Sprintf("apps/team%02d/own%d.yaml", i%40, i), injectedPod)
		}
		write(dir+"/kustomization.yaml", text)
	}
}
