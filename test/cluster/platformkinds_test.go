package cluster

import (
	"context"
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

// others are objects of kinds that the example has no file for.
var others = map[string]string{
	"prometheusagent": "apiVersion: monitoring.coreos.com/v1alpha1\nkind: PrometheusAgent\nmetadata:\n  name: agent\n" +
		"spec:\n  replicas: 2\n",
	"thanosruler": "apiVersion: monitoring.coreos.com/v1\nkind: ThanosRuler\nmetadata:\n  name: ruler\n" +
		"spec:\n  queryEndpoints:\n  - dnssrv+_http._tcp.example.com\n",
}

// sidecars are the pods of each file in the example and of the others, all of which get the sidecar.
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
	"prometheusagent":           1,
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
	"thanosruler":               1,
	"trainingruntime":           1,
	"xgboostjob":                2,
}

// TestPlatformKinds checks with the CRDs of operators that the API server stores all that Pillion writes into their
// objects: a structural schema drops fields that it does not have.
func TestPlatformKinds(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "default", nil)
	files, err := filepath.Glob(platformKinds + "/apps/*.yaml")
	if want := len(sidecars) - len(others); err != nil || len(files) != want {
		t.Fatalf("%d files, want %d: %v", len(files), want, err)
	}
	apps := maps.Clone(others)
	for _, file := range files {
		apps[strings.TrimSuffix(filepath.Base(file), ".yaml")] = read(t, file)
	}
	known := crdsIn(t, "testdata/crds")
	c.Install(t, slices.Collect(maps.Values(known)))

	for _, name := range slices.Sorted(maps.Keys(apps)) {
		t.Run(name, func(t *testing.T) {
			app := apps[name]
			if kind := kindOf(t, app); known[kind].manifest == nil {
				t.Fatalf("there is no CRD of %s", kind)
			}
			keepsAll(t, c, app)

			config := platformConfig(t, "1.4.2")
			injected := runOn(t, config, app)
			if got := strings.Count(injected, "registry.example.com/log-shipper:"); got != sidecars[name] {
				t.Errorf("%d sidecars, want %d:\n%s", got, sidecars[name], injected)
			}
			keepsAll(t, c, injected)
			if again := runOn(t, config, injected); again != injected {
				t.Errorf("after a second injection it is\n%s", again)
			}
			newer := platformConfig(t, "1.5.0")
			updated := runOn(t, newer, injected)
			keepsAll(t, c, updated)
			if fresh := runOn(t, newer, app); updated != fresh || updated == injected {
				t.Errorf("after an update it is\n%s\nand after an injection\n%s", updated, fresh)
			}
			if removed := runOn(t, config.Removing(), updated); removed != app {
				t.Errorf("after injection, update and removal it is\n%s", removed)
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

// platformConfig returns the injector of the example, with a version of its image.
func platformConfig(t *testing.T, version string) engine.Config {
	t.Helper()
	text := strings.ReplaceAll(read(t, platformKinds+"/injector.yaml"), "1.4.2", version)
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	return config
}

func runOn(t *testing.T, config engine.Config, manifest string) string {
	t.Helper()
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: []byte(manifest)})
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
