package test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/resourcelist"
)

// TestMergeAgreesWithStrategicPatch compares Pillion with apimachinery on random pods and payloads. They must give the
// same pod spec up to the order of lists: strategicpatch prepends, Pillion appends.
//
// Left out is where strategicpatch is wrong, or has no opinion to compare with:
//   - an entry of the same key but another body: strategicpatch merges into it, Pillion refuses by default;
//   - a port number with two protocols in a container of both: see TestStrategicPatchConfusesProtocols;
//   - native sidecars: to strategicpatch a container is in the list in which it was written.
func TestMergeAgreesWithStrategicPatch(t *testing.T) {
	const payloads, podsPerPayload = 20, 50
	for seed := range int64(payloads) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := podMaker{rand.New(rand.NewSource(seed))}
			payload := random.payload()
			pods := make([]corev1.Pod, podsPerPayload)
			for i := range pods {
				pods[i] = random.pod(fmt.Sprintf("pod-%d", i), payload)
			}
			for i, got := range injectedByPillion(t, pods, payload) {
				want := patchedByStrategicPatch(t, pods[i], payload)
				if diff := cmp.Diff(sorted(want.Spec), sorted(got.Spec)); diff != "" {
					t.Fatalf("%s (-strategicpatch +pillion):\n%s", got.Name, diff)
				}
			}
		})
	}
}

// TestStrategicPatchConfusesProtocols shows why Pillion does not use strategicpatch: its only key for ports is the
// number, so a container with 53 over both protocols loses one of them as soon as a patch has port 53.
func TestStrategicPatchConfusesProtocols(t *testing.T) {
	udp := corev1.ContainerPort{ContainerPort: 53, Protocol: corev1.ProtocolUDP}
	tcp := corev1.ContainerPort{ContainerPort: 53, Protocol: corev1.ProtocolTCP}
	pod := corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "dns", Ports: []corev1.ContainerPort{udp}}}}}
	patch := corev1.PodSpec{Containers: []corev1.Container{{Name: "dns", Ports: []corev1.ContainerPort{tcp}}}}
	patched := patchedByStrategicPatch(t, pod, patch).Spec.Containers[0].Ports
	if slices.Contains(patched, udp) {
		t.Errorf("53/UDP survived in %v: the known exception is gone", patched)
	}
}

func patchedByStrategicPatch(t *testing.T, pod corev1.Pod, payload corev1.PodSpec) corev1.Pod {
	t.Helper()
	// A typed payload without containers has `containers: null`, which deletes them.
	patch := asMap(t, corev1.Pod{Spec: payload})
	spec, _ := patch["spec"].(map[string]any)
	if spec["containers"] == nil {
		delete(spec, "containers")
	}
	merged, err := strategicpatch.StrategicMergePatch(asJSON(t, pod), asJSON(t, patch), corev1.Pod{})
	if err != nil {
		t.Fatal(err)
	}
	var patched corev1.Pod
	if err := json.Unmarshal(merged, &patched); err != nil {
		t.Fatal(err)
	}
	return patched
}

func injectedByPillion(t *testing.T, pods []corev1.Pod, payload corev1.PodSpec) []corev1.Pod {
	t.Helper()
	items := make([]string, len(pods))
	for i, pod := range pods {
		items[i] = asYAML(t, pod)
	}
	spec := asMap(t, payload)
	for _, container := range spec["containers"].([]any) {
		container.(map[string]any)["mode"] = "Container"
	}
	config := asYAML(t, map[string]any{
		"apiVersion": "pillion.dev/v1alpha1",
		"kind":       "SidecarInjector",
		"metadata":   map[string]any{"name": "random"},
		"spec":       spec,
	})
	list := mustRun(t, "", resourcelist.Wrap(items, config), "pillion").stdout

	injected := make([]corev1.Pod, len(pods))
	for i, item := range itemsOf(t, list) {
		if err := yaml.UnmarshalStrict([]byte(item), &injected[i]); err != nil {
			t.Fatalf("%v in\n%s", err, item)
		}
	}
	return injected
}

// sorted sorts the lists that have a merge key.
func sorted(spec corev1.PodSpec) corev1.PodSpec {
	byName := func(a, b corev1.Container) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(spec.Containers, byName)
	slices.SortFunc(spec.InitContainers, byName)
	slices.SortFunc(spec.Volumes, func(a, b corev1.Volume) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(spec.ImagePullSecrets, func(a, b corev1.LocalObjectReference) int {
		return strings.Compare(a.Name, b.Name)
	})
	return spec
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func asYAML(t *testing.T, value any) string {
	t.Helper()
	text, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func asMap(t *testing.T, value any) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(asJSON(t, value), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

var podType = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
