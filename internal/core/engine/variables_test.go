package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestVariablesKeepTheirValueInEveryStyle puts values that YAML may take for something else into
// texts of every style.
func TestVariablesKeepTheirValueInEveryStyle(t *testing.T) {
	styles := map[string]string{
		"plain":   "${pod.annotations['x']}",
		"single":  "'${pod.annotations[''x'']}'",
		"double":  `"${pod.annotations['x']}"`,
		"literal": "|-\n      ${pod.annotations['x']}",
		"folded":  ">-\n      ${pod.annotations['x']}",
	}
	templates := map[string]string{
		"block": "spec:\n  containers:\n  - name: app\n    image: app:1\n",
		"flow":  "spec: {containers: [{name: app, image: 'app:1'}]}\n",
		"JSON":  `"spec": {"containers": [{"name": "app", "image": "app:1"}]}` + "\n",
	}
	for style, text := range styles {
		for form, spec := range templates {
			for _, value := range []string{
				"8080", "0x1F", "1e3", "true", "on", "null", "~", "2020-01-01", "", " ", " lead", "trail ", "a: b", "a #b", "- a", "# a", "{a}", "[a",
				"*a", "&a", "!a",
				"a\nb", "\na", "a\n", "a\n\n", "a\n b\n\nc", "  a\nb", "\t", "a\tb", "a\u00a0\u2028b", "\"", "'", "\\", "${workload.name}", "--- a",
				"...", "é",
			} {
				t.Run(fmt.Sprintf("%s/%s/%q", style, form, value), func(t *testing.T) {
					config := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: envoy}\nspec:\n  containers:\n  - name: " +
						"envoy\n    image: envoy:1\n" +
						"    workingDir: " + text + "\n"
					items := "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {x: " + strconv.Quote(value) + "}}\n" + spec
					out, says := run(t, config, items)
					var pod struct {
						Spec struct {
							InitContainers []struct {
								WorkingDir any `yaml:"workingDir"`
							} `yaml:"initContainers"`
						}
					}
					if err := yaml.Unmarshal([]byte(out), &pod); err != nil || len(pod.Spec.InitContainers) != 1 {
						t.Fatalf("%v\n%s%s", err, out, says)
					}
					if got := pod.Spec.InitContainers[0].WorkingDir; got != value {
						t.Errorf("got %#v from:\n%s", got, out)
					}
					if again, _ := run(t, config, out); again != out {
						t.Errorf("a second run makes of:\n%sthis:\n%s", out, again)
					}
				})
			}
		}
	}
}

const upstream = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  containers:
  - name: proxy
    image: proxy:1
    podInjectPolicy: BeforeAppContainer
    args: ["${container.port}"]
    volumeMounts: [{name: conf, mountPath: /conf}]
  volumes:
  - name: conf
    configMap: {name: "conf-${container.name}"}
`

const portedPod = `apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: web
    image: web:1
    ports:
    - containerPort: 8080
`

// TestTheAppIsKnownBeforeStampsAreUndone claims that what an injection made of the app's values is recognised where
// kustomize or people changed it.
func TestTheAppIsKnownBeforeStampsAreUndone(t *testing.T) {
	once, said, failed := step(t, upstream, portedPod)
	if failed || !strings.Contains(once, "conf-web") || !strings.Contains(once, `args: ["8080"]`) {
		t.Fatal(said, once)
	}
	renamed := strings.NewReplacer("name: a\n", "name: prod-a\n", "conf-web", "prod-conf-web").Replace(once)
	if again, said, failed := step(t, upstream, renamed); failed || again != renamed {
		t.Errorf("a name that kustomize changed does not stay: %s%s", said, again)
	}
	drifted := strings.Replace(once, "image: proxy:1", "image: other:1", 1)
	if again, said, _ := step(t, upstream, drifted); again != once || !strings.Contains(said, "Drifted") {
		t.Errorf("a change by hand is not taken back: %s%s", said, again)
	}
	moved := strings.Replace(once, "containerPort: 8080", "containerPort: 9090", 1)
	if again, said, _ := step(t, upstream, moved); !strings.Contains(again, `args: ["9090"]`) || strings.Contains(said, "Drifted") {
		t.Errorf("another port of the app does not update the sidecar: %s%s", said, again)
	}
}

// TestUnsetVariablesNameTheirPlace claims that a finding is located at the container in the file, not where that is
// without the sidecar.
func TestUnsetVariablesNameTheirPlace(t *testing.T) {
	once, _, _ := step(t, upstream, portedPod)
	several := strings.Replace(once, "- containerPort: 8080", "- containerPort: 8080\n    - containerPort: 9090", 1)
	above, _, _ := strings.Cut(several, "    ports:")
	line := 1 + strings.Count(above, "\n")
	_, said, failed := step(t, upstream, several)
	if want := fmt.Sprintf("web.yaml:%d:", line); !failed || !strings.Contains(said, want) || !strings.Contains(said, "8080, 9090") {
		t.Errorf("it does not say %s:\n%s\n%s", want, said, several)
	}
}

// TestThousandsOfContainersHaveValues claims that the time for variables of the app's containers is linear.
func TestThousandsOfContainersHaveValues(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n")
	const many = 3000
	for i := range many {
		fmt.Fprintf(&b, "  - {name: c%d, image: 'a:1'}\n", i)
	}
	config := func(value string) string {
		return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: a}\nspec:\n" +
			"  appContainers: [{env: [{name: X, value: \"" + value + "\"}]}]\n"
	}
	_, said, _ := step(t, config("${container.port}"), b.String())
	if got := strings.Count(said, "VariableUnset"); got < 2 || got > 100 {
		t.Errorf("there are %d findings", got)
	}
	after, said, failed := step(t, config("${container.name}"), b.String())
	if strings.Count(after, "name: X") != many && !strings.Contains(said, "StampTooLong") {
		t.Errorf("%t %.500s", failed, said)
	}
}
