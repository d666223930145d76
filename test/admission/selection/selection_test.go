// Package selection compares which pods policies select with which manifests Pillion injects into.
package selection

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/admission/apiserver"
)

// specs are selections, each as the beginning of the spec of an injector called log.
var specs = []string{
	"",
	"selector: {matchLabels: {app: web}}",
	"selector: {matchLabels: {app: ''}}",
	"selector: {matchExpressions: [{key: app, operator: In, values: [web, '']}, {key: tier, operator: NotIn, values: [db]}]}",
	"selector: {matchExpressions: [{key: app, operator: Exists}, {key: tier, operator: DoesNotExist}]}",
	"neverInjectSelector: [{matchLabels: {tier: db}}, {matchExpressions: [{key: app, operator: In, values: ['']}]}]",
	"neverInjectSelector: [{}]",
	"namespaces: {include: [shop, 'team-*']}",
	"namespaces: {exclude: ['t?am-a', shop]}",
	"namespaces: {include: ['*', kube-system]}",
	"namespaceSelector: {matchLabels: {env: prod}}",
	"namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [default]}, " +
		"{key: env, operator: Exists}]}",
	"policy: Disabled",
	"marker: example.com/sidecar",
	"marker: inject\n  policy: Disabled",
	"hostNetwork: Skip",
	"jobs: Skip",
}

var (
	markers    = []string{"pillion.dev/inject", "example.com/sidecar", "inject"}
	values     = []string{"true", "True ", "false", "FALSE", "", "yes", "log", "other, log", "other", "logs", "on", "ture", "log,log", "1"}
	namespaces = []string{"shop", "team-a", "team-", "xteam-a", "kube-system", "default"}
	others     = []string{
		"pillion.dev/in", "pillion.dev/injected-x", "other.dev/injec", "kubernetes.io/config.mirror",
	}
)

func TestPoliciesSelectTheSamePods(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pillion")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			config := filepath.Join(t.TempDir(), "injector.yaml")
			write(t, config, injector(spec))
			text := run(t, program, nil, "export", "admission", "-c", config, "--only", "mutate")
			policies, err := apiserver.Load(text, "1.36")
			if err != nil {
				t.Fatal(err)
			}
			const pods = 150
			manifests := make([]string, pods)
			spaces := make([]string, pods)
			var stream strings.Builder
			stream.WriteString("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {env: prod}}\n")
			for _, name := range namespaces[1:] {
				fmt.Fprintf(&stream, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", name)
			}
			for i := range manifests {
				spaces[i] = namespaces[random.IntN(len(namespaces))]
				manifests[i] = pod(random, i, spaces[i])
				stream.WriteString("---\n" + manifests[i])
			}
			injected := run(t, program, []byte(stream.String()), "inject", "-c", config, "-f", "-")
			selected := 0
			for i, document := range bytes.Split(injected, []byte("\n---\n"))[len(namespaces):] {
				want := bytes.Contains(document, []byte("log:1"))
				if want {
					selected++
				}
				manifest, err := apiserver.Pod([]byte(manifests[i]))
				if err != nil {
					t.Fatal(err)
				}
				namespace := apiserver.Namespace{Name: spaces[i], Labels: map[string]string{"kubernetes.io/metadata.name": spaces[i]}}
				if spaces[i] == "shop" {
					namespace.Labels["env"] = "prod"
				}
				mutated, err := policies.Mutate(apiserver.Arrive(manifest), namespace)
				if err != nil {
					t.Fatalf("%v\n%s", err, manifests[i])
				}
				got := len(mutated.Pod.Spec.Containers)+len(mutated.Pod.Spec.InitContainers) > 1
				if got != want {
					t.Errorf("the policy selects it: %t, want %t\n%s", got, want, manifests[i])
				}
			}
			if selected == 0 && spec != "neverInjectSelector: [{}]" || selected == pods {
				t.Errorf("%d of %d pods are selected, so that the test shows nothing", selected, pods)
			}
		})
	}
}

func injector(spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: log}\nspec:\n" +
		"  containers: [{name: log, image: 'log:1'}]\n  " + spec + "\n"
}

func pod(random *rand.Rand, i int, namespace string) string {
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	labels, annotations := map[string]string{}, map[string]string{}
	for _, key := range []string{"app", "tier"} {
		if random.IntN(2) == 0 {
			labels[key] = pick([]string{"web", "db", ""})
		}
	}
	into := []map[string]string{labels, annotations}
	for range random.IntN(3) {
		into[random.IntN(2)][pick(markers)] = pick(values)
	}
	if random.IntN(3) == 0 {
		into[random.IntN(2)][pick(others)] = pick(append(values, "api", "file"))
	}
	fields := ""
	if random.IntN(3) == 0 {
		fields += "hostNetwork: true, "
	}
	if random.IntN(3) == 0 {
		fields += "restartPolicy: " + pick([]string{"Never", "OnFailure", "Always"}) + ", "
	}
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p%d, namespace: %s%s%s}\n"+
		"spec: {%scontainers: [{name: app, image: app:1}]}\n",
		i, namespace, mapping("labels", labels), mapping("annotations", annotations), fields)
}

func mapping(field string, of map[string]string) string {
	if len(of) == 0 {
		return ""
	}
	var entries []string
	for key, value := range of {
		entries = append(entries, fmt.Sprintf("%q: %q", key, value))
	}
	return ", " + field + ": {" + strings.Join(entries, ", ") + "}"
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, program string, stdin []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pillion %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}
