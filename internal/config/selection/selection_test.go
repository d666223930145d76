package selection

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// podOf and deploymentOf return workloads with some metadata and spec of the pod template.
func podOf(metadata, spec string) string {
	return "{apiVersion: v1, kind: Pod, metadata: {name: web, " + metadata + "}, spec: {containers: [{name: app}], " + spec + "}}"
}

func deploymentOf(metadata, podMetadata, podSpec string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, " + metadata + "}, spec: {template: {metadata: {" + podMetadata +
		"}, spec: {containers: [{name: app}], " + podSpec + "}}}}"
}

// TestDecide checks who is selected, and the reason if not. A decision is shown as its severity, its code, the field
// that decided, if there is one, and whether the injector is for the pod all the same.
func TestDecide(t *testing.T) {
	const job = "{apiVersion: batch/v1, kind: Job, metadata: {name: web}, spec: {template: {spec: {containers: [{name: app}]}}}}"
	const labels, marked = "labels: {app: web}", "annotations: {sidecar.example/inject: %s}"
	on := func(value string) string { return podOf(strings.Replace(marked, "%s", value, 1), "") }
	const shop = "{kind: Namespace, metadata: {name: shop, labels: {env: prod}}}"
	const lab = "{kind: Namespace, metadata: {name: shop, labels: {env: lab}}}"
	for _, test := range []struct {
		spec, workload, want string
		around               []string
	}{
		{"", podOf("", ""), "inject", nil},
		{"selector: {matchLabels: {app: web}}", podOf(labels, ""), "inject", nil},
		{"selector: {matchLabels: {app: web}}", podOf("", ""), "info SelectorMismatch", nil},
		{"selector: {matchLabels: {app: web}}", deploymentOf(labels, "", ""), "warning SelectorMismatch", nil},
		{"selector: {matchLabels: {app: web}}, selectorScope: Workload", deploymentOf(labels, "", ""), "inject", nil},
		{"selector: {matchLabels: {app: web}}, selectorScope: Workload", deploymentOf("", labels, ""), "info SelectorMismatch", nil},
		{"neverInjectSelector: [{matchLabels: {app: db}}, {matchLabels: {app: web}}]", podOf(labels, ""), "info NeverSelector", nil},
		{"neverInjectSelector: [{matchLabels: {app: db}}]", podOf(labels, ""), "inject", nil},
		{"names: [api, web]", podOf("", ""), "inject", nil},
		{"names: [api, we]", podOf("", ""), "info NameMismatch", nil},
		{"excludeNames: [api, web]", podOf("", ""), "info NameExcluded", nil},
		{"excludeNames: [api]", podOf("", ""), "inject", nil},
		{"rules: [{apiGroups: [apps], apiVersions: [v1], resources: ['*']}]", deploymentOf("", "", ""), "inject", nil},
		{"rules: [{apiGroups: [apps], apiVersions: [v1], resources: ['*']}]", podOf("", ""), "info RuleMismatch", nil},
		{"rules: [{apiGroups: [apps], apiVersions: [v1], resources: [daemonsets]}]", deploymentOf("", "", ""), "info RuleMismatch", nil},
		{"rules: [{apiGroups: ['*'], apiVersions: [v2], resources: ['*']}]", deploymentOf("", "", ""), "info RuleMismatch", nil},
		{"", podOf("namespace: kube-system", ""), "info NamespaceExcluded", nil},
		{"namespaces: {include: [kube-system]}", podOf("namespace: kube-system", ""), "inject", nil},
		{"namespaces: {include: [sh*]}", podOf("namespace: shop", ""), "inject", nil},
		{"namespaces: {include: [sh*]}", podOf("namespace: lab", ""), "info NamespaceExcluded", nil},
		{"namespaces: {include: [sh*]}", podOf("", ""), "info NamespaceUnknown", nil},
		{"namespaces: {exclude: [sh*]}", podOf("namespace: shop", ""), "info NamespaceExcluded", nil},
		{"namespaces: {exclude: ['*']}", podOf("", ""), "info NamespaceExcluded", nil},
		{"namespaces: {exclude: [sh*]}, defaultNamespace: shop", podOf("", ""), "info NamespaceExcluded", nil},
		{"namespaceSelector: {matchLabels: {env: prod}}", podOf("namespace: shop", ""), "inject", []string{shop}},
		{"namespaceSelector: {matchLabels: {env: prod}}", podOf("namespace: shop", ""), "info NamespaceExcluded", []string{lab}},
		{"namespaceSelector: {matchLabels: {env: prod}}", podOf("namespace: shop", ""), "error NamespaceAmbiguous", []string{shop, lab}},
		{"namespaceSelector: {matchLabels: {env: prod}}", podOf("namespace: shop", ""), "inject", []string{shop, shop}},
		{"namespaceSelector: {matchLabels: {env: prod}}", podOf("namespace: shop", ""), "warning NamespaceLabelsUnknown", nil},
		{
			"namespaceSelector: {matchLabels: {env: prod}}, namespaceLabels: {shop: {env: prod}}", podOf("namespace: shop", ""), "inject",
			nil,
		},
		{"namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}", podOf("namespace: shop", ""), "inject", nil},
		{"namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}", podOf("namespace: lab", ""), "info NamespaceExcluded", nil},
		{"marker: sidecar.example/inject", on("'true'"), "inject", nil},
		{"marker: sidecar.example/inject", on("'false'"), "info OptedOut", nil},
		{"marker: sidecar.example/inject", on("mesh"), "info OptedOut", nil},
		{"marker: sidecar.example/inject", on("'mesh, logs'"), "inject", nil},
		{"marker: sidecar.example/inject", on("'yes'"), "warning MarkerUnclear at metadata.annotations", nil},
		{"marker: sidecar.example/inject", on("'ture'"), "warning MarkerUnclear at metadata.annotations", nil},
		{"marker: sidecar.example/inject", podOf("", ""), "inject", nil},
		{"marker: sidecar.example/inject, policy: Disabled", podOf("", ""), "info NotOptedIn", nil},
		{"marker: sidecar.example/inject, policy: Disabled", on("'true'"), "inject", nil},
		{
			"marker: sidecar.example/inject, policy: Disabled", podOf("annotations: {sidecar.example/injekt: 'true'}", ""), "warning MarkerUnclear",
			nil,
		},
		{
			"marker: sidecar.example/inject", podOf("annotations: {sidecar.example/inject: 'false'}, labels: {sidecar.example/inject: 'true'}", ""),
			"info OptedOut", nil,
		},
		{
			"marker: sidecar.example/inject", deploymentOf(strings.Replace(marked, "%s", "'false'", 1), "", ""),
			"warning MarkerMisplaced at metadata.annotations", nil,
		},
		{
			"marker: sidecar.example/inject, selectorScope: Workload", deploymentOf(strings.Replace(marked, "%s", "'false'", 1), "", ""),
			"info OptedOut", nil,
		},
		{
			"marker: sidecar.example/inject", "{apiVersion: batch/v1, kind: CronJob, metadata: {name: web}, spec: {jobTemplate: {metadata: {" +
				strings.Replace(marked, "%s", "'false'", 1) + "}, spec: {template: {spec: {containers: [{name: app}]}}}}}}",
			"warning MarkerMisplaced at spec.jobTemplate.metadata.annotations", nil,
		},
		{"", podOf("annotations: {initializer.kubernetes.io/logs: 'false'}", ""), "info OptedOut", nil},
		{"paused: true", podOf("", ""), "info Paused, although selected", nil},
		{"hostNetwork: Skip", podOf("", "hostNetwork: true"), "info HostNetwork, although selected", nil},
		{"hostNetwork: Skip", podOf("", "hostNetwork: false"), "inject", nil},
		{"hostNetwork: Skip", podOf("", "hostNetwork: maybe"), "info HostNetwork, although selected", nil},
		{"hostNetwork: Inject", podOf("", "hostNetwork: true"), "inject", nil},
		{"hostNetwork: Error", podOf("", "hostNetwork: true"), "error HostNetwork, although selected", nil},
		{"jobs: Skip", job, "info JobSkipped, although selected", nil},
		{"jobs: Skip", podOf("", "restartPolicy: OnFailure"), "info JobSkipped, although selected", nil},
		{"jobs: Skip", podOf("", "restartPolicy: Always"), "inject", nil},
		{"helmHooks: Skip", podOf("annotations: {helm.sh/hook: test}", ""), "info HelmHook, although selected", nil},
		{"helmHooks: Skip", podOf("", ""), "inject", nil},
	} {
		t.Run(test.spec+" and "+test.workload, func(t *testing.T) {
			s, c := newSelection(t, test.spec, test.around), newCandidate(t, test.workload)
			if got := shown(s.Decide(c), c); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestReasonsNameWhatIsKnown makes sure that each ${...} of a reason stands for something.
func TestReasonsNameWhatIsKnown(t *testing.T) {
	const selectors = "selector: {matchLabels: {a: b}}, neverInjectSelector: [{matchLabels: {c: d}}], "
	const namespaces = "namespaces: {include: [shop], exclude: [lab]}, namespaceSelector: {matchLabels: {a: b}}, "
	const workloads = "names: [web], excludeNames: [api], rules: [{apiGroups: [apps], apiVersions: [v1], resources: [jobs]}], "
	const policies = "paused: true, hostNetwork: Skip, jobs: Error, helmHooks: Skip"
	s := newSelection(t, selectors+namespaces+workloads+policies, nil)
	c := newCandidate(t, podOf("", ""))
	for i := range s.checks {
		if message := s.checks[i].against.Message(c); strings.Contains(message, "${") {
			t.Error(message)
		}
	}
}

func shown(d *Decision, c *Candidate) string {
	if d.Inject {
		return "inject"
	}
	text := fmt.Sprintf("%s %s", d.Severity, d.Code)
	if d.Field != "" {
		text += " at " + strings.TrimSuffix(d.Field, "[sidecar.example/inject]")
	}
	if d.Matched {
		text += ", although selected"
	}
	if message := d.Message(c); strings.Contains(message, "%!") || strings.Contains(message, "${") {
		text += ": " + d.Message(c)
	}
	return text
}

// TestGuard checks which workloads no injector changes.
func TestGuard(t *testing.T) {
	const rollout = "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {%s}}"
	with := func(spec string) string { return strings.Replace(rollout, "%s", spec, 1) }
	for workload, want := range map[string]string{
		podOf("", ""): "inject",
		podOf("annotations: {kubernetes.io/config.mirror: a}", ""):    "info MirrorPod",
		podOf("annotations: {kubernetes.io/config.source: file}", ""): "inject", // anybody can set it
		podOf("uid: a", ""): "warning LiveObject",
		podOf("annotations: {config.kubernetes.io/local-config: 'true'}", ""):                "info LocalConfig",
		"{apiVersion: v1, kind: Pod, spec: {containers: [{name: app}]}, status: {}}":         "inject",
		"{apiVersion: v1, kind: Pod, spec: {containers: [{name: app}]}, status: {phase: A}}": "warning LiveObject",
		with("workloadRef: {kind: Deployment, name: web}"):                                   "info WorkloadRef",
		with("workloadRef: {kind: Deployment, name: web}, template: {spec: {}}"):             "inject",
		with("template: {spec: {}}"):                                                         "inject",
		with("replicas: 1"):                                                                  "inject", // and refused for its missing template
		deploymentOf("annotations: {kubernetes.io/config.mirror: a}", "", ""):                "inject",
		deploymentOf("annotations: {config.kubernetes.io/local-config: x}", "", ""):          "inject",
	} {
		document := parsed(t, workload)
		kind, _ := pod.NewKinds().Find(node.Text(document, "apiVersion"), node.Text(document, "kind"))
		if got := shown(Guard(kind, document), nil); got != want {
			t.Errorf("%s: got %q, want %q", workload, got, want)
		}
	}
}

// TestSteps claims that the meter of a run counts every value and pattern that a decision compares.
func TestSteps(t *testing.T) {
	fewest := newSelection(t, "", nil).Steps("web")
	for _, spec := range []string{
		"names: ['w*']", "excludeNames: ['w*']", "selector: {matchLabels: {app: web}}", "neverInjectSelector: [{matchLabels: {app: web}}]",
		"namespaceSelector: {matchLabels: {app: web}}", "namespaces: {include: [a]}", "namespaces: {exclude: [a]}",
		"rules: [{apiGroups: [apps], apiVersions: [v1], resources: ['*']}]",
	} {
		if steps := newSelection(t, spec, nil).Steps("web"); steps <= fewest {
			t.Errorf("%s takes %d steps, as many as nothing", spec, steps)
		}
	}
}

func newSelection(t *testing.T, spec string, around []string) *Selection {
	t.Helper()
	in, findings := injector.Read(parsed(t, "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: logs}, spec: {"+
		"containers: [{name: logs, image: logs}], "+spec+"}}"))
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	var surroundings Surroundings
	for _, text := range around {
		surroundings.Observe(parsed(t, text), "a.yaml")
	}
	s, err := New(in[0], surroundings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newCandidate(t *testing.T, text string) *Candidate {
	t.Helper()
	workload := parsed(t, text)
	object := &finding.Object{
		APIVersion: node.Text(workload, "apiVersion"), Kind: node.Text(workload, "kind"), Name: "web",
		Namespace: node.Text(workload, "metadata", "namespace"),
	}
	kind, _ := pod.NewKinds().Find(object.APIVersion, object.Kind)
	candidate := NewCandidate(object, kind, workload, kind.Templates(workload)[0])
	return &candidate
}

func parsed(t *testing.T, text string) *node.Node {
	t.Helper()
	document, err := read.Document([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return document.Content[0]
}
