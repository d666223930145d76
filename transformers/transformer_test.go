package transformers_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
)

const app = `# the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web, tier: front} # the selector's
    spec:
      securityContext: &secure
        runAsNonRoot: true # policy
      containers:
      - name: web
        image: "nginx:1.27" # the app
        securityContext: *secure
        env:
        - {name: LEVEL, value: info} # for now
        ports:
        - containerPort: 8080
      volumes:
      - name: data
        emptyDir: {}
`

// outside does everything that a transformer of another program may do: it adds and replaces, in mappings and lists, of
// the app and of the sidecar, and typed values.
func outside(pod *transformers.Pod) []finding.Finding {
	var findings []finding.Finding
	for _, set := range []struct {
		value any
		path  []string
	}{
		{pod.Injector.Metadata.Name, []string{"metadata", "annotations", "example.com/injected-by"}},
		{"web", []string{"metadata", "labels", "tier"}},
		{corev1.EnvVar{Name: "LEVEL", Value: "debug"}, []string{"spec", "containers", "web", "env", "LEVEL"}},
		{int64(7), []string{"spec", "terminationGracePeriodSeconds"}},
		{false, []string{"spec", "enableServiceLinks"}},
		{"yes", []string{"spec", "nodeSelector", "example.com/sidecars"}},
		{
			corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Sleep: &corev1.SleepAction{Seconds: 5}}},
			[]string{"spec", "containers", "web", "lifecycle"},
		},
	} {
		findings = append(findings, pod.Set(set.value, set.path...)...)
	}
	cache := corev1.Volume{Name: "cache", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}
	findings = append(findings, pod.Append(cache, "spec", "volumes")...)
	mount := corev1.VolumeMount{Name: "cache", MountPath: "/cache"}
	findings = append(findings, pod.Append(mount, "spec", "containers", "web", "volumeMounts")...)
	findings = append(findings, pod.Append(corev1.ContainerPort{ContainerPort: 9090}, "spec", "containers", "web", "ports")...)
	findings = append(findings, pod.Append(corev1.Container{Name: "warm", Image: "warm:1"}, "spec", "initContainers")...)
	return findings
}

func logs(t *testing.T, names ...string) transformers.Sidecars {
	t.Helper()
	sources := make([]transformers.Source, len(names))
	for i, name := range names {
		sources[i].Text = []byte(strings.ReplaceAll(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: NAME}
spec:
  containers:
  - name: NAME
    image: NAME:1
`, "NAME", name))
	}
	config, findings := transformers.Read(sources...)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return config
}

func applyTo(t *testing.T, config transformers.Sidecars, text string) string {
	t.Helper()
	result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(text)})
	if err != nil || result.Failed() {
		t.Fatal(err, result.Findings)
	}
	if result.Texts[0] == nil {
		return text
	}
	return string(result.Texts[0])
}

func TestWhatOthersChangeIsStamped(t *testing.T) {
	for _, test := range []struct {
		claim  string
		config func(transformers.Sidecars) transformers.Sidecars
	}{
		{"before", func(c transformers.Sidecars) transformers.Sidecars { return c.Before(transformers.Func(outside)) }},
		{"after", func(c transformers.Sidecars) transformers.Sidecars { return c.After(transformers.Func(outside)) }},
		{"before and after", func(c transformers.Sidecars) transformers.Sidecars {
			return c.Before(transformers.Func(outside)).After(transformers.Func(outside))
		}},
	} {
		t.Run(test.claim, func(t *testing.T) {
			with := test.config(logs(t, "logs"))
			once := applyTo(t, with, app)
			for _, want := range []string{"name: LEVEL", "name: cache", "sleep:", `sidecars: "yes"`, "runAsNonRoot: true # policy"} {
				if !strings.Contains(once, want) {
					t.Errorf("%q is missing in\n%s", want, once)
				}
			}
			if diff := cmp.Diff(once, applyTo(t, with, once)); diff != "" {
				t.Errorf("a second run changes something:\n%s", diff)
			}
			if diff := cmp.Diff(applyTo(t, logs(t, "logs"), app), applyTo(t, logs(t, "logs"), once)); diff != "" {
				t.Errorf("without the transformer, what it added stays:\n%s", diff)
			}
			if diff := cmp.Diff(app, applyTo(t, with.Removing(), once)); diff != "" {
				t.Errorf("removing does not restore the original:\n%s", diff)
			}
		})
	}
}

func TestInjectorsOfARunShareWhatATransformerAdds(t *testing.T) {
	team := func(pod *transformers.Pod) []finding.Finding {
		warm := corev1.Container{Name: "warm", Image: "warm:1"}
		debug := corev1.EnvVar{Name: "LEVEL", Value: "debug"}
		return slices.Concat(
			pod.Set("payments", "metadata", "labels", "team"),
			pod.Append(warm, "spec", "initContainers"),
			pod.Set(debug, "spec", "containers", "web", "env", "LEVEL"),
			pod.Set(int64(7), "spec", "terminationGracePeriodSeconds"))
	}
	both := logs(t, "logs", "mesh").After(transformers.Func(team))
	once := applyTo(t, both, app)
	if strings.Count(once, "team: payments") != 1 || strings.Count(once, "warm:1") != 1 || applyTo(t, both, once) != once {
		t.Error(once)
	}
	one := applyTo(t, logs(t, "logs").Removing(), once)
	if !strings.Contains(one, "team: payments") || strings.Contains(one, "image: logs:1") {
		t.Errorf("the label is the other injector's as well:\n%s", one)
	}
	if diff := cmp.Diff(app, applyTo(t, logs(t, "mesh").Removing(), one)); diff != "" {
		t.Errorf("removing both does not restore the original:\n%s", diff)
	}
}

// TestInjectorsShareTheFirstInitContainer is about a list that only a transformer makes, and not for the first injector.
func TestInjectorsShareTheFirstInitContainer(t *testing.T) {
	warm := func(pod *transformers.Pod) []finding.Finding {
		if pod.Injector.Metadata.Name == "logs" {
			return nil
		}
		return pod.Append(corev1.Container{Name: "warm", Image: "warm:1"}, "spec", "initContainers")
	}
	var sources []transformers.Source
	for _, name := range []string{"logs", "mesh", "trace"} {
		sources = append(sources, transformers.Source{Text: []byte("{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, " +
			"metadata: {name: " + name + "}, spec: {containers: [{name: " + name + ", image: i, mode: Container}]}}")})
	}
	config, findings := transformers.Read(sources...)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if text := applyTo(t, config.After(transformers.Func(warm)), app); strings.Count(text, "warm:1") != 1 {
		t.Error(text)
	}
}

// TestATransformerDoesNotClaimWhatItCannotChange is about what another run put in: it stays, so no stamp may say that
// it is as the transformer wants it.
func TestATransformerDoesNotClaimWhatItCannotChange(t *testing.T) {
	team := func(pod *transformers.Pod) []finding.Finding {
		return pod.Set("payments", "metadata", "labels", "team")
	}
	earlier := applyTo(t, logs(t, "mesh").After(transformers.Func(team)), app)
	config := logs(t, "logs").After(transformers.Func(team))
	if text := applyTo(t, config, earlier); strings.Count(text, "team: payments") != 1 {
		t.Errorf("what is equal is shared:\n%s", text)
	}
	edited := strings.Replace(earlier, "team: payments", "team: shop", 1)
	result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(edited)})
	if err != nil || !result.Failed() || result.Findings[0].Code != finding.InjectorConflict ||
		!strings.Contains(result.Findings[0].Message, `label "team"`) {
		t.Error(err, result.Findings, string(result.Texts[0]))
	}
}

// TestWhatATransformerDoesClashesWithOthers claims that nothing of one injector is lost if a transformer makes
// something else of it for another one, whichever of them is first.
func TestWhatATransformerDoesClashesWithOthers(t *testing.T) {
	const debug = "appContainers: [{env: [{name: DEBUG, value: x}]}]"
	const volume = "volumes: [{name: v, emptyDir: {}}]"
	container := corev1.Container{Name: "web", Image: "w"}
	variable := corev1.EnvVar{Name: "LEVEL", Value: "w"}
	for _, test := range []struct {
		claim string
		specs []string // of the injectors i0, i1 and so on
		by    string   // the injector for which the transformer sets something
		value any
		path  []string
	}{
		{
			"a container that gets something is not replaced",
			[]string{debug, volume},
			"i1", container,
			[]string{"spec", "containers", "web"},
		},
		{
			"nor one that a transformer gave something",
			[]string{volume, "podSpec: {enableServiceLinks: false}", "containers: [{name: web, image: w, mode: Container}], " +
				"onConflict: {container: Replace}"},
			"i1", variable,
			[]string{"spec", "containers", "web", "env", "LEVEL"},
		},
		{
			"nor is a variable that a value is joined to",
			[]string{"appContainers: [{env: [{name: LEVEL, value: x, join: ','}]}]", volume},
			"i1",
			variable,
			[]string{"spec", "containers", "web", "env", "LEVEL"},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			var sources []transformers.Source
			for i, spec := range test.specs {
				sources = append(sources, transformers.Source{Text: fmt.Appendf(nil, "{apiVersion: pillion.dev/v1alpha1, "+
					"kind: SidecarInjector, metadata: {name: i%d}, spec: {%s}}", i, spec)})
			}
			config, findings := transformers.Read(sources...)
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			config = config.After(transformers.Func(func(pod *transformers.Pod) []finding.Finding {
				if pod.Injector.Metadata.Name != test.by {
					return nil
				}
				return pod.Set(test.value, test.path...)
			}))
			result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(app)})
			if err != nil || !result.Failed() || result.Findings[0].Code != finding.InjectorConflict ||
				!strings.HasSuffix(result.Findings[0].Message, "the cause may be a transformer of your program") {
				t.Error(err, result.Findings)
			}
		})
	}
}

func TestSetAndAppendReportWhatCannotBe(t *testing.T) {
	for _, test := range []struct {
		claim string
		edit  transformers.Func
		code  finding.Code
		path  string
	}{
		{"a scalar is no mapping", func(p *transformers.Pod) []finding.Finding {
			return p.Set("x", "spec", "containers", "web", "image", "x")
		}, finding.InvalidItem, "spec.containers.web.image"},
		{"a list has no such entry", func(p *transformers.Pod) []finding.Finding {
			return p.Set("x", "spec", "containers", "none", "image")
		}, finding.InvalidItem, "spec.containers"},
		{"a missing list has no entry", func(p *transformers.Pod) []finding.Finding {
			return p.Set("/cache", "spec", "containers", "web", "volumeMounts", "/data", "mountPath")
		}, finding.InvalidItem, "spec.containers.web.volumeMounts"},
		{"a mapping is no list", func(p *transformers.Pod) []finding.Finding {
			return p.Append("x", "spec", "securityContext")
		}, finding.InvalidItem, "spec.securityContext"},
		{"a mapping is no string", func(p *transformers.Pod) []finding.Finding {
			return p.Set("x", "spec", "securityContext")
		}, finding.InvalidItem, "spec.securityContext"},
		{"a volume of that name differs", func(p *transformers.Pod) []finding.Finding {
			return p.Append(corev1.Volume{Name: "data"}, "spec", "volumes")
		}, finding.VolumeConflict, "spec.volumes"},
		{"a function cannot be written", func(p *transformers.Pod) []finding.Finding {
			return p.Set(func() {}, "spec", "x")
		}, finding.InvalidItem, "spec.x"},
		{"the selector's labels stay", func(p *transformers.Pod) []finding.Finding {
			return p.Set("other", "metadata", "labels", "app")
		}, finding.SelectorLabel, "metadata.labels.app"},
		{"markers stay", func(p *transformers.Pod) []finding.Finding {
			return p.Set("false", "metadata", "annotations", "pillion.dev/inject")
		}, finding.InvalidItem, "metadata.annotations.pillion.dev/inject"},
		{"containers stay", func(p *transformers.Pod) []finding.Finding {
			return p.Set(map[string]any{"containers": []any{}}, "spec")
		}, finding.ContainerMissing, "spec"},
		{"nothing is at no path", func(p *transformers.Pod) []finding.Finding {
			return p.Set("x")
		}, finding.InvalidItem, ""},
		{"a path is steps", func(p *transformers.Pod) []finding.Finding {
			return p.Set("x", "metadata.labels.team")
		}, finding.InvalidItem, ""},
		{"nothing is added at no path", func(p *transformers.Pod) []finding.Finding {
			return p.Append("x")
		}, finding.InvalidItem, ""},
	} {
		t.Run(test.claim, func(t *testing.T) {
			result, err := logs(t, "logs").After(test.edit).Apply(context.Background(), transformers.Source{Text: []byte(app)})
			if err != nil || !result.Failed() || result.Texts[0] != nil {
				t.Fatal("it was done", err)
			}
			f := result.Findings[0]
			if f.Code != test.code || strings.TrimSuffix("spec.template."+test.path, ".") != f.Field.Path {
				t.Errorf("%s at %s: %s", f.Code, f.Field.Path, f.Message)
			}
		})
	}
}

// TestStampsKeepNoFieldsOfTheApp claims what docs/explanation/ownership.md says: a stamp that could restore any field
// could be forged to bring in any. Without a stamp, such a field can be replaced.
func TestStampsKeepNoFieldsOfTheApp(t *testing.T) {
	pin := func(pod *transformers.Pod) []finding.Finding {
		return pod.Set("nginx@sha256:0000", "spec", "containers", "web", "image")
	}
	result, err := logs(t, "logs").After(transformers.Func(pin)).Apply(context.Background(), transformers.Source{Text: []byte(app)})
	if err != nil || !result.Failed() || result.Findings[0].Code != finding.NotRecordable ||
		!strings.Contains(result.Err().Error(), "spec.containers.web.image") {
		t.Error(err, result.Findings)
	}
}

func TestWhatIsThereAlreadyIsNoChange(t *testing.T) {
	same := func(pod *transformers.Pod) []finding.Finding {
		findings := pod.Set(map[string]any{"runAsNonRoot": true}, "spec", "containers", "web", "securityContext")
		findings = append(findings, pod.Append(corev1.ContainerPort{ContainerPort: 8080}, "spec", "containers", "web", "ports")...)
		return findings
	}
	if got, want := applyTo(t, logs(t, "logs").Before(transformers.Func(same)), app), applyTo(t, logs(t, "logs"), app); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// TestAProgramCanRecoverFromAPanic checks that a panic reaches the goroutine that called Apply, although transformers
// run in others.
func TestAProgramCanRecoverFromAPanic(t *testing.T) {
	defer func() {
		if reason := recover(); reason == nil || !strings.Contains(fmt.Sprint(reason), "no such luck") {
			t.Errorf("recovered from %v", reason)
		}
	}()
	fails := func(*transformers.Pod) []finding.Finding { panic("no such luck") }
	_, _ = logs(t, "logs").After(transformers.Func(fails)).Apply(context.Background(), transformers.Source{Text: []byte(app)})
	t.Error("there was no panic")
}

// TestAChangeOfASidecarStaysInItsPod checks the payload, whose nodes all pods share.
func TestAChangeOfASidecarStaysInItsPod(t *testing.T) {
	verbose := func(pod *transformers.Pod) []finding.Finding {
		if pod.Object.Name != "web" {
			return nil
		}
		findings := pod.Set("logs:debug", "spec", "initContainers", "logs", "image")
		return append(findings, pod.Append("-v", "spec", "initContainers", "logs", "args")...)
	}
	config := logs(t, "logs").After(transformers.Func(verbose))
	for range 2 { // with the same config
		text := applyTo(t, config, app+"---\n"+strings.ReplaceAll(app, "name: web\nspec:", "name: api\nspec:"))
		web, api, _ := strings.Cut(text, "---\n")
		if !strings.Contains(web, "image: logs:debug") || !strings.Contains(web, "- -v") {
			t.Errorf("the sidecar is not changed:\n%s", web)
		}
		if !strings.Contains(api, "image: logs:1") || strings.Contains(api, "-v") {
			t.Errorf("the sidecar of the other pod is changed:\n%s", api)
		}
	}
}

// TestWhatATransformerMakesInvalidIsRefused changes a container of the payload, which is valid as the config has it.
func TestWhatATransformerMakesInvalidIsRefused(t *testing.T) {
	invalid := func(pod *transformers.Pod) []finding.Finding {
		limits := map[string]any{"limits": map[string]any{"cpu": "1"}, "requests": map[string]any{"cpu": "2"}}
		return pod.Set(limits, "spec", "initContainers", "logs", "resources")
	}
	result, err := logs(t, "logs").After(transformers.Func(invalid)).Apply(context.Background(), transformers.Source{Text: []byte(app)})
	if err != nil || !result.Failed() || result.Findings[0].Code != finding.InvalidResources {
		t.Error(err, result.Findings)
	}
}
