package cluster

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

const platformKinds = "../../examples/platform-kinds"

// sidecars are the pods of each file in the example, all of which get the sidecar.
var sidecars = map[string]int{
	"alertmanager":              1,
	"clusterservingruntime":     1,
	"clustertrainingruntime":    1,
	"inferenceservice":          2, // predictor and transformer
	"jaxjob":                    1,
	"jobset":                    2,
	"leaderworkerset":           2,
	"mpijob":                    2,
	"notebook":                  1,
	"paddlejob":                 1,
	"podcliqueset":              2,
	"pooler":                    1,
	"prometheus":                1,
	"pytorchjob":                2,
	"raycluster":                2,
	"raycronjob":                3,
	"rayjob":                    3, // head, workers and submitter
	"rayservice":                2,
	"sandbox":                   1,
	"sandboxtemplate":           1,
	"scheduledsparkapplication": 2,
	"servingruntime":            1,
	"sparkapplication":          2,
	"tfjob":                     2,
	"trainingruntime":           1,
	"xgboostjob":                2,
}

var moreCRDs = flag.String("crds", "", "a directory with more CRDs")

// withoutCRD are kinds whose CRDs are in no Go module that can be downloaded. docs/reference/limits.md names them.
var withoutCRD = []string{"grove.io/PodCliqueSet", "kubeflow.org/Notebook"}

// TestPlatformKinds checks with the CRDs of operators that the API server stores all that Pillion writes into their
// objects: a structural schema drops fields that it does not have.
func TestPlatformKinds(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "default", nil)
	files, err := filepath.Glob(platformKinds + "/apps/*.yaml")
	if err != nil || len(files) != len(sidecars) {
		t.Fatalf("%d files, want %d: %v", len(files), len(sidecars), err)
	}
	known := crdsIn(t, "testdata/crds")
	if *moreCRDs != "" {
		maps.Copy(known, crdsIn(t, *moreCRDs))
	}
	c.Install(t, slices.Collect(maps.Values(known)))

	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			app := read(t, file)
			if kind := kindOf(t, app); known[kind].manifest == nil {
				if !slices.Contains(withoutCRD, kind) {
					t.Fatalf("there is no CRD of %s", kind)
				}
				t.Skipf("the CRD of %s is not here; -crds names a directory with it", kind)
			}
			keepsAll(t, c, app)

			config := platformConfig(t)
			injected := runOn(t, config, app)
			if got := strings.Count(injected, "registry.example.com/log-shipper:"); got != sidecars[name] {
				t.Errorf("%d sidecars, want %d:\n%s", got, sidecars[name], injected)
			}
			keepsAll(t, c, injected)
			if removed := runOn(t, config.Removing(), injected); removed != app {
				t.Errorf("after injection and removal it is\n%s", removed)
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// kindOf returns the group and the kind of an object.
func kindOf(t *testing.T, manifest string) string {
	t.Helper()
	o := parsed(t, manifest)
	group, _, _ := strings.Cut(fmt.Sprint(o["apiVersion"]), "/")
	return group + "/" + o.kind()
}

// platformConfig returns the injector of the example.
func platformConfig(t *testing.T) engine.Config {
	t.Helper()
	config, findings := engine.ReadConfig(engine.Source{Text: []byte(read(t, platformKinds+"/injector.yaml"))})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	return config
}

func runOn(t *testing.T, config engine.Config, manifest string) string {
	t.Helper()
	result, err := engine.Apply(context.Background(), config, engine.Source{Text: []byte(manifest)})
	if err != nil {
		t.Fatal(err)
	}
	if finding.HasError(result.Run.Findings()) {
		t.Error(result.Run.Findings())
	}
	if result.Texts[0] == nil { // nothing changed
		return manifest
	}
	return string(result.Texts[0])
}

// keepsAll checks that the API server accepts an object, and that all values in it are in what it would store.
func keepsAll(t *testing.T, c *Cluster, manifest string) {
	t.Helper()
	answer, err := c.DryRun([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	if !answer.Accepted() {
		t.Errorf("it is refused: %s\n%s", answer.Body, manifest)
		return
	}
	sent := map[string]any(parsed(t, manifest))
	kept := map[string]any(parsed(t, string(answer.Body)))
	if paths := lost("", sent, kept); len(paths) > 0 {
		t.Errorf("the API server drops or changes %s in\n%s", strings.Join(paths, ", "), manifest)
	}
}

// lost returns the paths of the values in sent that are not in kept, which may have more fields.
func lost(path string, sent, kept any) []string {
	var paths []string
	switch sent := sent.(type) {
	case map[string]any:
		fields, isMap := kept.(map[string]any)
		if !isMap {
			return []string{path}
		}
		for key, value := range sent {
			paths = append(paths, lost(path+"."+key, value, fields[key])...)
		}
		slices.Sort(paths)
	case []any:
		entries, isList := kept.([]any)
		if !isList || len(entries) != len(sent) {
			return []string{path}
		}
		for i, value := range sent {
			paths = append(paths, lost(fmt.Sprintf("%s[%d]", path, i), value, entries[i])...)
		}
	default:
		if sent != kept {
			return []string{path}
		}
	}
	return paths
}
