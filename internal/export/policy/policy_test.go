package policy

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/test/configfields"
	"pillion.dev/pillion/test/golden"
)

const simple = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  selector: {matchLabels: {tier: web}}
  containers:
  - {name: fluent-bit, image: "fluent/fluent-bit:3.2.4", mode: Native, volumeMounts: [{name: buffer, mountPath: /buffer}]}
  volumes: [{name: buffer, emptyDir: {}}]
`

var options = Options{
	Minor: 36, Mutate: true, Validate: true, Actions: DefaultActions, FailurePolicy: "Fail", Digest: "0123456789abcdef",
}

func read(t *testing.T, config string) ([]*injector.Injector, []finding.Finding) {
	t.Helper()
	var document node.Node
	if err := yamlread.Into([]byte(config), &document); err != nil {
		t.Fatal(err)
	}
	return injector.Read(document.Content[0])
}

func export(t *testing.T, config string, options Options) string {
	t.Helper()
	injectors, findings := read(t, config)
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	policies, findings := New(injectors, options)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return string(policies.YAML())
}

// TestPoliciesAreShort holds the lengths that people can read: 60 lines for what injects a simple sidecar, 120 for all
// four objects.
func TestPoliciesAreShort(t *testing.T) {
	all := export(t, simple, options)
	mutate := options
	mutate.Validate = false
	if lines := strings.Count(export(t, simple, mutate), "\n"); lines > 60 {
		t.Errorf("the mutating half has %d lines", lines)
	}
	if lines := strings.Count(all, "\n"); lines > 120 {
		t.Errorf("the policies have %d lines", lines)
	}
	golden.Check(t, "testdata/simple.yaml", all)
}

func TestLinesAreNotLong(t *testing.T) {
	for _, p := range preset.All {
		settings := p.Example()
		if strings.HasPrefix(p.Name, "otel-") {
			settings = append(settings, "name-label=app")
		}
		config, err := p.Injector("injector.yaml", settings)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(export(t, config, options), "\n") {
			if utf8.RuneCountInString(line) > 160 {
				t.Errorf("%s: %s", p.Name, line)
			}
		}
	}
}

// TestLongTextsAreReadable has a text of several lines, a long line, and values of one type.
func TestLongTextsAreReadable(t *testing.T) {
	line := strings.Repeat("word ", 20)
	text := export(t, `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: x}, spec: {containers: [{
  name: x, image: x, args: ["`+line+`\n  \"second\"\n", "`+line+line+`", "${container.name} of ${container.image}", "${container.name}"],
  resources: {limits: {cpu: 1, memory: "${pod.annotations['memory']:-1Gi}"}}}]}}`, options)
	for _, want := range []string{
		`"""` + line + "\n          \"second\"\n        \"\"\",\n", `"` + line + `"].join(""),`, `{"cpu": "1", "memory": variables.`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "dyn(") {
		t.Errorf("all values are strings in\n%s", text)
	}
}

// Every field of the spec is in one of three lists: exported, withoutMeaning, or it is the field of a refusal. Of an
// exported field, some values may be refused.
var (
	// exported are the fields that policies express.
	exported = []string{
		"selector", "neverInjectSelector", "namespaces", "namespaceSelector", "marker", "policy", "jobs", "hostNetwork",
		"containers", "initContainers", "volumes", "imagePullSecrets", "appContainers", "patchPodMetadata", "podSpec", "onConflict",
		"containers[].mode", "containers[].podInjectPolicy", "containers[].before", "containers[].after",
		"appContainers[].containers", "appContainers[].includeInit", "appContainers[].env", "appContainers[].envFrom",
		"appContainers[].volumeMounts", "appContainers[].envPosition", "appContainers[].env[].join", "appContainers[].env[].joinOrder",
		"patchPodMetadata[].labels", "patchPodMetadata[].annotations", "patchPodMetadata[].patchPolicy",
		"onConflict.env", "onConflict.mountPath",
	}
	// withoutMeaning are the fields that make no difference to a new pod.
	withoutMeaning = []string{
		"checks",                      // decided when policies are exported, or by the cluster's own admission
		"onDrift", "expect", "report", // about runs on manifests
		"kubernetesVersion",                                // decided when policies are exported
		"defaultNamespace", "namespaceLabels", "workloads", // the API server knows
		"helmReleases", // the API server sees what charts make
	}
)

// TestEveryFieldIsInOneList makes sure that a new field of the config is exported, refused, or known to mean nothing.
func TestEveryFieldIsInOneList(t *testing.T) {
	fields := configfields.All()
	lists := map[string]int{}
	for _, field := range slices.Concat(exported, withoutMeaning) {
		lists[field]++
	}
	for _, r := range (&candidate{}).refusals() {
		isField := r.Policy.Why != "" && !strings.ContainsAny(r.Field[:1], "$-")
		if isField && !slices.Contains(exported, r.Field) && !slices.Contains(withoutMeaning, r.Field) {
			lists[r.Field] = 1
		}
	}
	if known := slices.Sorted(maps.Keys(lists)); !slices.Equal(known, fields) {
		t.Errorf("the lists have\n%q\nand the fields are\n%q", known, fields)
	}
	for field, count := range lists {
		if count > 1 {
			t.Errorf("%s is in %d lists", field, count)
		}
	}
}

// TestRefusalsAreDocumented compares the list with the one in docs/how-to/admission.md. The reasons are in the
// messages.
func TestRefusalsAreDocumented(t *testing.T) {
	const path, head = "../../../docs/how-to/admission.md", "<!-- written by go test ./internal/export/policy -run Documented -update -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, isFound := strings.Cut(string(text), head)
	if !isFound {
		t.Fatal("the page has no list")
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	var list strings.Builder
	for _, r := range (&candidate{}).refusals() {
		if r.Policy.Why != "" {
			list.WriteString("- " + strings.TrimSpace("`"+r.Field+"` "+r.Policy.When) + "\n")
		}
	}
	golden.Check(t, path, before+head+list.String()+"\n"+after)
}

func TestRefusals(t *testing.T) {
	for spec, want := range map[string]string{
		"action: Remove":                               "spec.action: a new pod",
		"names: [web]":                                 "spec.names: a pod does not know",
		"jobs: Error":                                  "spec.jobs: a policy leaves",
		"onConflict: {container: Keep}":                "spec.onConflict.container: a pod arrives",
		"onConflict: {port: Keep}":                     "spec.onConflict.port: a policy adds",
		"podSpec: {tolerations: [{operator: Exists}]}": "spec.podSpec.tolerations: the API server",
		"podSpec: {hostAliases: [{ip: 1.1.1.1, hostnames: [a]}]}":                     "spec.podSpec.hostAliases: a policy cannot",
		"appContainers: [{env: [{name: A, value: '${workload.name}'}]}]":              "spec.appContainers[0].env[0].value: a pod does",
		"appContainers: [{env: [{name: '${container.name}', value: a}]}]":             "spec.appContainers[0].env[0].name: a policy compares",
		"appContainers: [{env: [{name: A, value: a}]}, {env: [{name: A, value: b}]}]": "spec.appContainers[1].env[0]: a policy sees",
		"initContainers: [{name: a, image: a, before: other}]":                        "spec.initContainers[0].before: a policy does not know",
		"initContainers: [{name: a, image: a, allowOverride: [image]}]":               "spec.initContainers[0].allowOverride: policies",
		"checks: {requireResources: Error}":                                           "spec.checks: container \"other\" has no",
		"patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]":   "spec.patchPodMetadata[0].patchPolicy: CEL cannot",
	} {
		config := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: x}\nspec:\n" +
			"  containers: [{name: other, image: o, mode: Native}]\n  " + spec
		injectors, findings := read(t, config)
		if finding.HasError(findings) {
			t.Errorf("%s: %v", spec, findings)
			continue
		}
		if _, findings = New(injectors, options); len(findings) == 0 || !strings.HasPrefix(findings[0].Message, want) {
			t.Errorf("%s: %v, want %s", spec, findings, want)
		}
	}
}

// TestValuesStayTexts has values that would be expressions if they left their literals or comments.
func TestValuesStayTexts(t *testing.T) {
	const attack = `\n[JSONPatch{op: \"remove\"}] + // `
	const head = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: x}\nspec:\n"
	text := export(t, head+`  volumes: [{name: v, emptyDir: {}}]
  podSpec: {nodeSelector: {1zone: a}}
  appContainers: [{volumeMounts: [{name: v, mountPath: "/a`+attack+`"}]}]
`, options)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "[JSONPatch{op: \"remove") {
			t.Errorf("a mount path has become an operation:\n%s", text)
		}
	}
	if !strings.Contains(text, `[?"1zone"]`) || strings.Contains(text, ".?1zone") {
		t.Errorf("a key that begins with a digit is used as a name:\n%s", text)
	}
}

// TestInjectorsShare has two injectors with the same pull secret, which a pod that gets both may get only once.
func TestInjectorsShare(t *testing.T) {
	item := func(name string) string {
		return "- metadata: {name: " + name + "}\n  spec: {imagePullSecrets: [{name: registry}], containers: [{name: " + name + ", image: i}]}\n"
	}
	text := export(t, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"+item("one")+item("two"), options)
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"(!variables.selects_one || object.spec.?image", "( variables.selects_one || !variables.selects_two || object.spec.?image",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}

// TestSidecarSetsAreRefused makes sure that nobody is told to set a field that a SidecarSet does not have.
func TestSidecarSetsAreRefused(t *testing.T) {
	injectors, _ := read(t, `{apiVersion: apps.kruise.io/v1alpha1, kind: SidecarSet, metadata: {name: x},
  spec: {selector: {matchLabels: {app: web}}, containers: [{name: x, image: x}]}}`)
	if _, found := New(injectors, options); len(found) != 1 || !strings.HasPrefix(found[0].Message, "kind: ") {
		t.Errorf("%v", found)
	}
}

// TestPathsInLists makes sure that the path of a variable in a list of injectors is that of the config.
func TestPathsInLists(t *testing.T) {
	injectors, _ := read(t, `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjectorList, items: [
  {metadata: {name: x}, spec: {containers: [{name: x, image: "${workload.name}"}]}}]}`)
	if _, found := New(injectors, options); len(found) != 1 || found[0].Field.Path != "items[0].spec.containers[0].image" {
		t.Errorf("%v", found)
	}
}

// TestTooMuchIsRefusedFirst has a config that takes minutes and gigabytes if it is printed before it is refused. What
// counts is how often memory is asked for.
func TestTooMuchIsRefusedFirst(t *testing.T) {
	const many = 1_000
	var list strings.Builder
	list.WriteString("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n")
	for i := range 20 {
		fmt.Fprintf(&list, "- metadata: {name: x%d}\n  spec:\n    containers:\n", i)
		for n := range many / 20 {
			fmt.Fprintf(&list, "    - {name: c%d-%d, image: i}\n", i, n)
		}
	}
	injectors, findings := read(t, list.String())
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	allocations := testing.AllocsPerRun(1, func() {
		if _, found := New(injectors, options); len(found) != 1 || !strings.Contains(found[0].Message, "1000 operations") {
			t.Errorf("%v", found)
		}
	})
	if allocations > 10*many {
		t.Errorf("it takes %.0f allocations to refuse %d operations", allocations, many)
	}
}

// TestNamesOfInjectorsThatDoNotSelectAPodAreTheApps has an injector for all pods, and one for some of them, which needs
// a label.
func TestNamesOfInjectorsThatDoNotSelectAPodAreTheApps(t *testing.T) {
	text := export(t, `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: base}
  spec:
    containers: [{name: agent, image: agent}]
    appContainers: [{env: [{name: MODE, value: fast}]}]
- metadata: {name: mesh}
  spec:
    selector: {matchLabels: {mesh: "on"}}
    containers: [{name: proxy, image: proxy, args: ["${pod.labels['tier']}"]}]
`, options)
	for _, want := range []string{
		"(variables.selects_base ? [\"agent\"] : []) +\n",
		"(variables.selects_mesh ? [\"proxy\"] : [])\n",
		`!(c.name in variables.injected)`,
		`variables.selects_mesh && ("tier" in object.metadata.?labels.orValue({}))`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if strings.Index(text, "- name: selects_mesh") > strings.Index(text, "- name: injected") {
		t.Error("a variable comes before one that it uses")
	}
}

// TestVariablesOfInjectorsHaveNamesOfTheirOwn has two injectors whose names are the same as identifiers, and only one
// of them needs a label.
func TestVariablesOfInjectorsHaveNamesOfTheirOwn(t *testing.T) {
	text := export(t, `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: a.b}
  spec: {selector: {matchLabels: {x: "1"}}, containers: [{name: one, image: i}]}
- metadata: {name: a-b}
  spec: {selector: {matchLabels: {x: "2"}}, containers: [{name: two, image: i, args: ["${pod.labels['tier']}"]}]}
`, options)
	for policy := range strings.SplitSeq(text, "\n---\n") {
		names := map[string]bool{}
		for line := range strings.Lines(policy) {
			name, isVariable := strings.CutPrefix(line, "  - name: ")
			name, _, _ = strings.Cut(name, " ")
			if isVariable && names[name] {
				t.Errorf("there are two variables %s in\n%s", name, policy)
			}
			names[name] = isVariable
		}
	}
}
