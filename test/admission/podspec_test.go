package admission

import (
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/test/admission/apiserver"
)

// compileConfig compiles one of testdata/configs.
func compileConfig(t *testing.T, name string) *Subject {
	t.Helper()
	config, err := os.ReadFile("testdata/configs/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	subject, err := Compile(string(config), nil)
	if err != nil {
		t.Fatal(err)
	}
	return subject
}

// TestValidatingPolicyAcceptsMergedSelectors checks a term of a pod affinity with matchLabelKeys: between mutating and validating policies,
// the API server adds the pod's labels to its selector.
func TestValidatingPolicyAcceptsMergedSelectors(t *testing.T) {
	subject := compileConfig(t, "podspec-lists")
	namespace := apiserver.Namespace{Name: "shop"}
	pod, err := apiserver.Pod([]byte(`{apiVersion: v1, kind: Pod, metadata: {name: web, labels: {app: web}},
  spec: {containers: [{name: web, image: web}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	mutated, err := subject.policies.Mutate(arrive(pod, true), namespace)
	if err != nil {
		t.Fatal(err)
	}
	terms := mutated.Pod.Spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	selector := terms[0].PodAffinityTerm.LabelSelector
	selector.MatchExpressions = append(selector.MatchExpressions,
		metav1.LabelSelectorRequirement{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: []string{"web"}})
	if verdict, err := subject.policies.Validate(mutated.Pod, namespace); err != nil || verdict.Denied != nil {
		t.Errorf("%v, %v", err, verdict.Denied)
	}
	terms[0].Weight++
	verdict, err := subject.policies.Validate(mutated.Pod, namespace)
	if err != nil || verdict.Denied == nil || !strings.Contains(verdict.Denied.Error(), "preferredDuringScheduling") {
		t.Errorf("another term: %v, %v", err, verdict.Denied)
	}
}

// TestValidatingPolicyFindsMissingEntries removes each entry of lists of the pod spec that injectors added.
func TestValidatingPolicyFindsMissingEntries(t *testing.T) {
	subject := compileConfig(t, "podspec-lists")
	namespace := apiserver.Namespace{Name: "shop"}
	pod, err := apiserver.Pod([]byte(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for field, remove := range map[string]func(spec *corev1.PodSpec){
		"spec.hostAliases lacks {ip: 10.0.0.1": func(s *corev1.PodSpec) { s.HostAliases[0].Hostnames = s.HostAliases[0].Hostnames[1:] },
		"spec.hostAliases lacks {ip: ::1":      func(s *corev1.PodSpec) { s.HostAliases = s.HostAliases[:2] },
		"spec.schedulingGates lacks":           func(s *corev1.PodSpec) { s.SchedulingGates = nil },
		"spec.topologySpreadConstraints lacks": func(s *corev1.PodSpec) { s.TopologySpreadConstraints[0].WhenUnsatisfiable = "" },
		"spec.resourceClaims lacks":            func(s *corev1.PodSpec) { s.ResourceClaims[0].Name = "other" },
		"spec.readinessGates lacks":            func(s *corev1.PodSpec) { s.ReadinessGates = s.ReadinessGates[1:] },
		"spec.dnsConfig.searches lacks":        func(s *corev1.PodSpec) { s.DNSConfig.Searches = s.DNSConfig.Searches[1:] },
		"spec.dnsConfig.options lacks":         func(s *corev1.PodSpec) { s.DNSConfig.Options = nil },
		"securityContext.supplementalGroups":   func(s *corev1.PodSpec) { s.SecurityContext.SupplementalGroups = []int64{2000} },
		"securityContext.sysctls lacks":        func(s *corev1.PodSpec) { s.SecurityContext.Sysctls = nil },
		"nodeAffinity.preferred": func(s *corev1.PodSpec) {
			s.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution = nil
		},
		"podAntiAffinity.requiredDuring": func(s *corev1.PodSpec) {
			s.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
		},
		"nodeAffinity.requiredDuringScheduling": func(s *corev1.PodSpec) { s.Affinity.NodeAffinity = nil },
	} {
		mutated, err := subject.policies.Mutate(arrive(pod, false), namespace)
		if err != nil {
			t.Fatal(err)
		}
		remove(&mutated.Pod.Spec)
		verdict, err := subject.policies.Validate(mutated.Pod, namespace)
		if err != nil || verdict.Denied == nil || !strings.Contains(verdict.Denied.Error(), field) {
			t.Errorf("%s: %v, %v", field, err, verdict.Denied)
		}
	}
}
