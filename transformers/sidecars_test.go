package transformers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
)

const written = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: envoy
spec:
  selector:
    matchLabels:
      mesh: "on"
  containers:
  - name: envoy
    image: envoy:1.33
    args: ["-c", "yes", "8080", "on: fire", "~"]
    ports:
    - name: http
      containerPort: 15001
      protocol: TCP
    env:
    - name: CPU
      valueFrom:
        resourceFieldRef:
          resource: limits.cpu
    - name: SCRIPT
      value: |
        set -e
        true
    resources:
      limits:
        cpu: "2"
        memory: "1073741824"
      requests:
        cpu: 100m
    volumeMounts:
    - name: tmp
      mountPath: /tmp
    livenessProbe:
      httpGet:
        path: /
        port: http
    readinessProbe:
      httpGet:
        port: 15021
      initialDelaySeconds: 3
    securityContext:
      runAsUser: 0
      allowPrivilegeEscalation: false
  volumes:
  - name: tmp
    emptyDir: {}
  - name: big
    emptyDir:
      sizeLimit: 1Gi
  - name: data
    ephemeral:
      volumeClaimTemplate:
        spec:
          accessModes:
          - ReadWriteOnce
          resources:
            requests:
              storage: 1Gi
  patchPodMetadata:
  - annotations:
      a: "true"
      b: "1"
  podSpec:
    terminationGracePeriodSeconds: 0
    automountServiceAccountToken: false
`

func typed() v1alpha1.SidecarInjector {
	zero, no := int64(0), false
	limit := resource.MustParse("1Gi")
	return v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: "envoy"},
		Spec: v1alpha1.SidecarInjectorSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"mesh": "on"}},
			Containers: []v1alpha1.Container{{Container: corev1.Container{
				Name: "envoy", Image: "envoy:1.33", Args: []string{"-c", "yes", "8080", "on: fire", "~"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 15001, Protocol: corev1.ProtocolTCP}},
				Env: []corev1.EnvVar{
					{Name: "CPU", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}}},
					{Name: "SCRIPT", Value: "set -e\ntrue\n"},
				},
				Resources: corev1.ResourceRequirements{
					Limits:   corev1.ResourceList{"memory": resource.MustParse("1073741824"), "cpu": resource.MustParse("2")},
					Requests: corev1.ResourceList{"cpu": resource.MustParse("100m")},
				},
				EnvFrom:      []corev1.EnvFromSource{}, // an empty list is not written
				VolumeMounts: []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
				LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")},
				}},
				ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
					HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(15021)},
				}, InitialDelaySeconds: 3},
				SecurityContext: &corev1.SecurityContext{RunAsUser: &zero, AllowPrivilegeEscalation: &no},
			}}},
			Volumes: []corev1.Volume{
				{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
				{Name: "big", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &limit}}},
				{Name: "data", VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
					VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: corev1.PersistentVolumeClaimSpec{
						AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
						Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": limit}},
					}},
				}}},
			},
			PatchPodMetadata: []v1alpha1.PodMetadataPatch{{Annotations: map[string]string{"b": "1", "a": "true"}}},
			PodSpec:          &corev1.PodSpec{AutomountServiceAccountToken: &no, TerminationGracePeriodSeconds: &zero},
		},
	}
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the shop
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web, mesh: "on"}
    spec:
      containers:
      - name: web
        image: nginx:1.27
`

func TestTypedConfigInjectsTheSameTextAsYAML(t *testing.T) {
	inBlockStyle := strings.ReplaceAll(written, `["-c", "yes", "8080", "on: fire", "~"]`, `
    - -c
    - "yes"
    - "8080"
    - "on: fire"
    - "~"`)
	fromYAML := apply(t)(transformers.Read(transformers.Source{Text: []byte(inBlockStyle)}))
	fromTypes := apply(t)(transformers.New(typed()))
	if diff := cmp.Diff(fromYAML, fromTypes); diff != "" {
		t.Errorf("typed values are written differently (-YAML +types):\n%s", diff)
	}
	for _, unwanted := range []string{"resources: {}", "divisor", "creationTimestamp", "status"} {
		if strings.Contains(fromTypes, unwanted) {
			t.Errorf("%q was not set, and is written", unwanted)
		}
	}
}

func apply(t *testing.T) func(transformers.Sidecars, []finding.Finding) string {
	return func(config transformers.Sidecars, findings []finding.Finding) string {
		t.Helper()
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(deployment)})
		if err != nil || result.Failed() || result.Texts[0] == nil {
			t.Fatal(err, result.Findings)
		}
		return string(result.Texts[0])
	}
}

func TestTypedConfigIsCheckedStrictly(t *testing.T) {
	for _, test := range []struct {
		claim   string
		change  func(*v1alpha1.SidecarInjector)
		message string
	}{
		{"a name is needed", func(in *v1alpha1.SidecarInjector) { in.Metadata.Name = "" }, "metadata.name"},
		{"modes are words that exist", func(in *v1alpha1.SidecarInjector) { in.Spec.Containers[0].Mode = "Nativ" }, "Native"},
		{"a container needs a name", func(in *v1alpha1.SidecarInjector) { in.Spec.Containers[0].Name = "" }, "name"},
		{"a kind is ours", func(in *v1alpha1.SidecarInjector) { in.Kind = "SidecarInjektor" }, "SidecarInjector"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			in := typed()
			test.change(&in)
			config, findings := transformers.New(in)
			if !finding.HasError(findings) || !strings.Contains(findings[0].Message, test.message) || len(config.Names()) > 0 {
				t.Errorf("%v, %v", config.Names(), findings)
			}
		})
	}
}

func TestNoTypedConfigLetsKubernetesNamespacesInByChance(t *testing.T) {
	for _, test := range []struct {
		namespaces *v1alpha1.Namespaces
		want       transformers.Decision
	}{
		{nil, transformers.Skipped},
		{&v1alpha1.Namespaces{Exclude: []string{}}, transformers.Skipped},
		{&v1alpha1.Namespaces{Include: []string{"*"}}, transformers.Skipped},
		{&v1alpha1.Namespaces{Include: []string{"*", "kube-system"}}, transformers.Injected},
	} {
		in := typed()
		in.Spec.Namespaces = test.namespaces
		config, _ := transformers.New(in)
		text := strings.Replace(deployment, "name: web #", "namespace: kube-system\n  name: web #", 1)
		result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(text)})
		if err != nil || len(result.Outcomes) != 1 || result.Outcomes[0].Decision != test.want {
			t.Errorf("%v: %v %v", test.namespaces, result.Outcomes, err)
		}
	}
}

func TestTheNamespaceOfARunWinsOverThatOfAnInjector(t *testing.T) {
	in := typed()
	in.Spec.Namespaces = &v1alpha1.Namespaces{Include: []string{"shop"}}
	in.Spec.DefaultNamespace = "bank"
	config, findings := transformers.New(in)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for namespace, want := range map[string]transformers.Decision{
		"": transformers.Skipped, "shop": transformers.Injected, "team": transformers.Skipped,
	} {
		result, err := config.InNamespace(namespace).Apply(context.Background(), transformers.Source{Text: []byte(deployment)})
		if err != nil || len(result.Outcomes) != 1 || result.Outcomes[0].Decision != want {
			t.Fatalf("%q: %v %v", namespace, result.Outcomes, err)
		}
		if object := result.Outcomes[0].Object; object.Namespace != namespace {
			t.Errorf("%q: the outcome is about %s", namespace, object)
		}
		if want == transformers.Injected && strings.Contains(string(result.Texts[0]), "namespace:") {
			t.Errorf("the namespace is written into the manifest:\n%s", result.Texts[0])
		}
	}
}

func TestNoInjectorsIsAnError(t *testing.T) {
	config, findings := transformers.New()
	result, err := config.Apply(context.Background(), transformers.Source{Text: []byte(deployment)})
	if len(findings) > 0 || err != nil || !result.Failed() {
		t.Error(findings, err, result.Findings)
	}
}
