package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/golden"
)

// TestPresets writes each preset with init, injects it into a plain Deployment and a plain Job, twice, and removes it.
func TestPresets(t *testing.T) {
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			dir := plainApp(t)
			initPreset(t, p, dir, "injector")
			golden.Check(t, filepath.Join(presetDir(p), "injector.yaml"), readFile(t, filepath.Join(dir, "injector.yaml")))
			if len(p.Beside) > 0 {
				file := p.ObjectsFile()
				golden.Check(t, filepath.Join(presetDir(p), file), readFile(t, filepath.Join(dir, file)))
			}
			golden.Check(t, filepath.Join(presetDir(p), example.ExpectedDir, "inject.diff"),
				run(t, dir, "", "pillion", "diff", "-c", "injector.yaml", "-f", ".").stdout)
			nothingIsReported(t, dir)

			before := snapshot(t, dir)
			pillion := func(verb string, flags ...string) {
				t.Helper()
				mustRun(t, dir, "", "pillion", append([]string{verb, "-c", "injector.yaml", "-f", "."}, flags...)...)
			}
			pillion("inject", "-i")
			injected := snapshot(t, dir)
			for _, file := range []string{"deployment.yaml", "job.yaml"} {
				sidecarsAreSafe(t, before[file], injected[file])
				stampIsShort(t, injected[file])
			}
			pillion("inject", "-i")
			pillion("verify")
			if diff := cmp.Diff(injected, snapshot(t, dir)); diff != "" {
				t.Errorf("the second run differs (-first +second):\n%s", diff)
			}
			pillion("remove", "-i")
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("removing does not restore the files (-before +after):\n%s", diff)
			}
		})
	}
}

// stampIsShort checks the stamp of a preset in a pod with one container of the app: reviewers see it in each diff.
func stampIsShort(t *testing.T, manifest string) {
	t.Helper()
	for _, stamp := range stampsIn(manifest) {
		most := 1000
		if !strings.Contains(stamp, "c/") && !strings.Contains(stamp, "v(") {
			most = 120 // it adds containers only
		}
		if len(stamp) > most {
			t.Errorf("the stamp has %d characters, and at most %d are short enough to read over:\n%s", len(stamp), most, stamp)
		}
	}
}

// TestPresetsInKustomize builds each preset with the kustomization that init writes.
func TestPresetsInKustomize(t *testing.T) {
	for _, p := range preset.All {
		t.Run(p.Name, func(t *testing.T) {
			dir := plainApp(t)
			initPreset(t, p, dir, "kustomize")
			built := mustRun(t, dir, "", kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", ".")
			if !strings.Contains(built.stderr, "2 workloads: 2 injected") {
				t.Errorf("got:\n%s", built.stderr)
			}
			mustRun(t, dir, built.stdout, "pillion", "verify", "-c", "injector.yaml", "-f", "-")
		})
	}
}

// TestPresetsKeepWhatTheAppSets injects all presets of OpenTelemetry together into an app that sets the same variables,
// and removes them one by one.
func TestPresetsKeepWhatTheAppSets(t *testing.T) {
	const own = `        env:
        - {name: JAVA_TOOL_OPTIONS, value: -Xmx512m}
        - {name: NODE_OPTIONS, value: --max-old-space-size=512}
        - {name: PYTHONPATH, value: /app}
        - {name: TEAM, value: shop}
        - {name: OTEL_RESOURCE_ATTRIBUTES, value: "team=$(TEAM),service.name=till"} # ours
        ports:
`
	presets := []string{"otel-collector", "otel-java", "otel-nodejs", "otel-python"}
	dir := t.TempDir()
	path := filepath.Join(dir, "deployment.yaml")
	app := readFile(t, filepath.Join(root, "examples", "presets", "app", "deployment.yaml"))
	before := strings.Replace(app, "        ports:\n", own, 1)
	writeFile(t, path, before)
	inject := []string{"inject", "-f", path, "-i"}
	for _, name := range presets {
		endpoint := "endpoint=http://127.0.0.1:4318"
		if name == "otel-collector" {
			endpoint = "endpoint=http://gateway:4318"
		}
		mustRun(t, dir, "", "pillion", "init", name, "--file", name+".yaml", "--set", endpoint)
		inject = append(inject, "-c", name+".yaml")
	}
	if said := mustRun(t, dir, "", "pillion", inject...).stderr; strings.Contains(said, "warning") {
		t.Errorf("got:\n%s", said)
	}
	env := map[string]string{}
	for _, variable := range containersIn(t, readFile(t, path))["shop"].Env {
		env[variable.Name] = variable.Value
	}
	const agents = "/otel-auto-instrumentation-"
	for name, want := range map[string]string{
		"JAVA_TOOL_OPTIONS": "-Xmx512m -javaagent:" + agents + "java/javaagent.jar",
		"NODE_OPTIONS":      "--max-old-space-size=512 --require " + agents + "nodejs/autoinstrumentation.js",
		"PYTHONPATH": agents + "python/opentelemetry/instrumentation/auto_instrumentation:/app:" +
			agents + "python",
		"OTEL_RESOURCE_ATTRIBUTES": "service.name=$(OTEL_RESOURCE_ATTRIBUTES_SERVICE_NAME)," +
			"k8s.namespace.name=$(OTEL_RESOURCE_ATTRIBUTES_NAMESPACE_NAME)," +
			"k8s.pod.name=$(OTEL_RESOURCE_ATTRIBUTES_POD_NAME),k8s.node.name=$(OTEL_RESOURCE_ATTRIBUTES_NODE_NAME)," +
			"k8s.container.name=$(OTEL_RESOURCE_ATTRIBUTES_CONTAINER_NAME),team=$(TEAM),service.name=till",
		"OTEL_RESOURCE_ATTRIBUTES_SERVICE_NAME":   "shop",
		"OTEL_RESOURCE_ATTRIBUTES_CONTAINER_NAME": "shop",
	} {
		if env[name] != want {
			t.Errorf("%s is %q, want %q", name, env[name], want)
		}
	}
	for _, name := range presets {
		mustRun(t, dir, "", "pillion", "remove", "-f", path, "-i", "-c", name+".yaml")
	}
	if diff := cmp.Diff(before, readFile(t, path)); diff != "" {
		t.Errorf("removing does not restore the file (-before +after):\n%s", diff)
	}
}

func presetDir(p preset.Preset) string { return filepath.Join(root, "examples", "presets", p.Name) }

// plainApp copies the app to a temporary directory.
func plainApp(t *testing.T) string {
	t.Helper()
	return copyPackage(t, filepath.Join(root, "examples", "presets", "app"))
}

func initPreset(t *testing.T, p preset.Preset, dir, kind string) {
	t.Helper()
	args := []string{"init", p.Name, "--dir", dir, "--kind", kind}
	for _, setting := range p.Example() {
		args = append(args, "--set", setting)
	}
	mustRun(t, "", "", "pillion", args...)
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, entry := range entries {
		texts[entry.Name()] = readFile(t, filepath.Join(dir, entry.Name()))
	}
	return texts
}

// nothingIsReported checks that both workloads are injected and that there is no other finding, not even an info.
func nothingIsReported(t *testing.T, dir string) {
	t.Helper()
	type reported struct{ Code, Message string }
	var explained struct {
		Workloads []struct{ Findings []reported }
		Findings  []reported
	}
	out := mustRun(t, dir, "", "pillion", "explain", "-c", "injector.yaml", "-f", ".", "-o", "json").stdout
	if err := json.Unmarshal([]byte(out), &explained); err != nil {
		t.Fatal(err)
	}
	injected := 0
	all := explained.Findings
	for _, workload := range explained.Workloads {
		all = append(all, workload.Findings...)
	}
	for _, found := range all {
		switch finding.Code(found.Code) {
		case finding.Injected:
			injected++
		case finding.Cost:
		default:
			t.Errorf("%s: %s", found.Code, found.Message)
		}
	}
	if injected != 2 {
		t.Errorf("%d workloads are injected, want 2", injected)
	}
}

// sidecarsAreSafe checks the containers that were added to a Deployment or a Job.
func sidecarsAreSafe(t *testing.T, before, after string) {
	t.Helper()
	apps := containersIn(t, before)
	added := 0
	for name, c := range containersIn(t, after) {
		if _, isApp := apps[name]; isApp {
			continue
		}
		added++
		requests, limits := c.Resources.Requests, c.Resources.Limits
		if requests.Cpu().IsZero() || requests.Memory().IsZero() || limits.Memory().IsZero() {
			t.Errorf("%s: has not all requests and the memory limit: %v", name, c.Resources)
		}
		if c.ReadinessProbe != nil && c.StartupProbe == nil {
			t.Errorf("%s: has a readiness probe and no startup probe, which it needs as a native sidecar", name)
		}
		isRestricted(t, name, c.SecurityContext)
	}
	if added == 0 {
		t.Error("no container was added")
	}
}

func isRestricted(t *testing.T, name string, s *corev1.SecurityContext) {
	t.Helper()
	if s == nil || s.RunAsNonRoot == nil || s.RunAsUser == nil || s.AllowPrivilegeEscalation == nil || s.ReadOnlyRootFilesystem == nil ||
		s.Capabilities == nil || s.SeccompProfile == nil {
		t.Errorf("%s: a field of its securityContext is missing: %+v", name, s)
		return
	}
	if !*s.RunAsNonRoot || *s.RunAsUser == 0 || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem ||
		!slices.Contains(s.Capabilities.Drop, "ALL") || s.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%s: the securityContext is not restricted: %+v", name, s)
	}
}

// containersIn returns the containers of a Deployment or a Job by name. Both have their pod template at the same path.
func containersIn(t *testing.T, manifest string) map[string]corev1.Container {
	t.Helper()
	var job batchv1.Job
	if err := yaml.Unmarshal([]byte(manifest), &job); err != nil {
		t.Fatal(err)
	}
	containers := map[string]corev1.Container{}
	for _, c := range slices.Concat(job.Spec.Template.Spec.Containers, job.Spec.Template.Spec.InitContainers) {
		containers[c.Name] = c
	}
	return containers
}
