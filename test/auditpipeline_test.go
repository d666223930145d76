package test

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/resourcelist"
)

// The lines of the kustomization for clusters without the Prometheus operator, and with it.
const (
	withoutComponents = "# components:\n# - prometheus\n"
	withComponents    = "components:\n- prometheus\n"
)

// withoutPrometheus are the kinds that each cluster has.
var withoutPrometheus = []string{
	"ClusterRole", "ClusterRoleBinding", "ConfigMap", "Deployment", "Namespace", "NetworkPolicy", "ServiceAccount",
}

// TestAuditPipeline checks that kustomize builds pipelines/audit for clusters without the Prometheus operator, and for
// those with it.
func TestAuditPipeline(t *testing.T) {
	if kinds := slices.Sorted(maps.Keys(objectsByKind(t, auditPipeline(t)))); !slices.Equal(kinds, withoutPrometheus) {
		t.Errorf("without the component there are %q, want %q", kinds, withoutPrometheus)
	}
	all := objectsByKind(t, auditPipelineWith(t, withoutComponents, withComponents))
	want := slices.Sorted(slices.Values(append([]string{"PodMonitor", "PrometheusRule"}, withoutPrometheus...)))
	if kinds := slices.Sorted(maps.Keys(all)); !slices.Equal(kinds, want) {
		t.Errorf("with the component there are %q, want %q", kinds, want)
	}
}

// TestAuditPipelineInAnotherNamespace checks that the line `namespace` is enough to move everything, including the
// subject of the binding.
func TestAuditPipelineInAnotherNamespace(t *testing.T) {
	built := auditPipelineWith(t, "namespace: pillion-audit\n", "namespace: watchers\ncomponents: [prometheus]\n")
	if strings.Contains(built, "namespace: pillion-audit") {
		t.Errorf("an object stays in another namespace:\n%s", built)
	}
	subjects := objectOf[rbacv1.ClusterRoleBinding](t, built).Subjects
	want := []rbacv1.Subject{{Kind: "ServiceAccount", Name: "pillion-audit", Namespace: "watchers"}}
	if diff := cmp.Diff(want, subjects); diff != "" {
		t.Errorf("the rights are those of others (-want +got):\n%s", diff)
	}
}

// TestAuditReadsOnly checks that the watcher has the rights to read the kinds that it watches, and no others.
func TestAuditReadsOnly(t *testing.T) {
	role := objectOf[rbacv1.ClusterRole](t, auditPipeline(t))
	resources := map[string][]string{}
	for _, rule := range role.Rules {
		if !slices.Equal(rule.Verbs, []string{"get", "list", "watch"}) || len(rule.APIGroups) != 1 || rule.NonResourceURLs != nil {
			t.Errorf("the rule is not for get, list and watch in one API group: %v", rule)
			continue
		}
		resources[rule.APIGroups[0]] = append(resources[rule.APIGroups[0]], rule.Resources...)
	}
	want := map[string][]string{
		"":      {"namespaces", "pods"},
		"apps":  {"daemonsets", "deployments", "replicasets", "statefulsets"},
		"batch": {"cronjobs", "jobs"},
	}
	if diff := cmp.Diff(want, resources); diff != "" || role.AggregationRule != nil {
		t.Errorf("the watcher reads other resources (-want +got):\n%s", diff)
	}
}

// TestAuditIsRestricted checks the pod with the code by which the API server enforces the label of the Namespace, and
// what the restricted standard does not ask for.
func TestAuditIsRestricted(t *testing.T) {
	built := auditPipeline(t)
	if level := objectOf[corev1.Namespace](t, built).Labels[api.EnforceLevelLabel]; level != string(api.LevelRestricted) {
		t.Errorf("the Namespace enforces %q", level)
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod := objectOf[appsv1.Deployment](t, built).Spec.Template
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, result := range evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec) {
		if !result.Allowed {
			t.Errorf("%s: %s", result.ForbiddenReason, result.ForbiddenDetail)
		}
	}
	container := pod.Spec.Containers[0]
	if root := container.SecurityContext.ReadOnlyRootFilesystem; root == nil || !*root {
		t.Error("the root file system is not read-only")
	}
	if user := pod.Spec.SecurityContext.RunAsUser; user == nil || *user != 65534 {
		t.Errorf("the user is %v, want nobody", user)
	}
}

// TestAuditMemory checks that Go's limit is below that of the container, and both within the 500 MB that the watcher
// has to manage with.
func TestAuditMemory(t *testing.T) {
	container := objectOf[appsv1.Deployment](t, auditPipeline(t)).Spec.Template.Spec.Containers[0]
	var goLimit string
	for _, variable := range container.Env {
		if variable.Name == "GOMEMLIMIT" {
			goLimit = variable.Value
		}
	}
	limit := container.Resources.Limits.Memory()
	if goLimit != "450MiB" || limit.Value() != 500<<20 {
		t.Errorf("GOMEMLIMIT is %q and the limit %s, want 450MiB and 500Mi", goLimit, limit)
	}
}

// TestAuditNetworkPolicy checks that the policy selects the pod, and names its port.
func TestAuditNetworkPolicy(t *testing.T) {
	built := auditPipeline(t)
	network, deployment := objectOf[networkingv1.NetworkPolicy](t, built), objectOf[appsv1.Deployment](t, built)
	if diff := cmp.Diff(deployment.Spec.Template.Labels, network.Spec.PodSelector.MatchLabels); diff != "" {
		t.Errorf("the policy selects other pods (-pod +policy):\n%s", diff)
	}
	if !slices.Equal(network.Spec.PolicyTypes, []networkingv1.PolicyType{"Ingress", "Egress"}) {
		t.Errorf("the policy is for %q", network.Spec.PolicyTypes)
	}
	var ports []intstr.IntOrString
	for _, rule := range network.Spec.Ingress {
		for _, port := range rule.Ports {
			ports = append(ports, *port.Port)
		}
	}
	own := deployment.Spec.Template.Spec.Containers[0].Ports[0]
	if want := []intstr.IntOrString{intstr.FromString(own.Name)}; !slices.Equal(ports, want) {
		t.Errorf("connections are allowed to the ports %v, want %v", ports, want)
	}
}

// TestAuditMetricsKeepTheirNamespace checks that the PodMonitor finds the pod, and does not rename the label namespace
// of the metrics.
func TestAuditMetricsKeepTheirNamespace(t *testing.T) {
	built := auditPipelineWith(t, withoutComponents, withComponents)
	monitor := objectsByKind(t, built)["PodMonitor"]["spec"]
	deployment := objectOf[appsv1.Deployment](t, built).Spec.Template
	labels := map[string]any{}
	for key, value := range deployment.Labels {
		labels[key] = value
	}
	want := map[string]any{
		"selector": map[string]any{"matchLabels": labels},
		"podMetricsEndpoints": []any{
			map[string]any{"port": deployment.Spec.Containers[0].Ports[0].Name, "path": "/metrics", "honorLabels": true},
		},
	}
	if diff := cmp.Diff(any(want), monitor); diff != "" {
		t.Errorf("the PodMonitor (-want +got):\n%s", diff)
	}
}

// TestAuditInjectorsAreRead checks that the ConfigMap keeps its name, which the volume mentions, and that pillion reads
// its injectors.
func TestAuditInjectorsAreRead(t *testing.T) {
	built := auditPipeline(t)
	config := objectOf[corev1.ConfigMap](t, built)
	volume := objectOf[appsv1.Deployment](t, built).Spec.Template.Spec.Volumes[0].ConfigMap
	if config.Name != "pillion-injectors" || volume.Name != config.Name {
		t.Errorf("the ConfigMap is %s, and the volume is of %s", config.Name, volume.Name)
	}
	if len(config.Data) == 0 {
		t.Error("the ConfigMap is empty")
	}
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec: {containers: [{name: web, image: web}]}\n"
	for name, text := range config.Data {
		file := filepath.Join(t.TempDir(), name)
		writeFile(t, file, text)
		if out := mustRun(t, "", pod, "pillion", "inject", "-c", file, "-f", "-").stdout; !strings.Contains(out, "fluent-bit") {
			t.Errorf("%s does not inject:\n%s", name, out)
		}
	}
}

// auditPipeline returns what kustomize builds from pipelines/audit.
func auditPipeline(t *testing.T) string {
	t.Helper()
	return mustRun(t, filepath.Join(root, "pipelines", "audit"), "", kustomize(t), "build", ".").stdout
}

// auditPipelineWith returns what kustomize builds with another text in the kustomization.
func auditPipelineWith(t *testing.T, text, replacement string) string {
	t.Helper()
	dir := copyPackage(t, filepath.Join(root, "pipelines", "audit"))
	file := filepath.Join(dir, "kustomization.yaml")
	before := readFile(t, file)
	if strings.Count(before, text) != 1 {
		t.Fatalf("%q is not once in\n%s", text, before)
	}
	writeFile(t, file, strings.Replace(before, text, replacement, 1))
	return mustRun(t, dir, "", kustomize(t), "build", ".").stdout
}

// objectOf returns the object of a kind, which has the name of its Go type. Unknown fields are an error.
func objectOf[T any](t *testing.T, manifests string) T {
	t.Helper()
	var object T
	kind := reflect.TypeFor[T]().Name()
	for _, document := range resourcelist.Documents(manifests) {
		var header struct{ Kind string }
		if err := yaml.Unmarshal([]byte(document), &header); err != nil {
			t.Fatal(err)
		}
		if header.Kind != kind {
			continue
		}
		if err := yaml.UnmarshalStrict([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		return object
	}
	t.Fatalf("no %s in\n%s", kind, manifests)
	return object
}
