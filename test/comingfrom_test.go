package test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/resourcelist"
)

// TestComingFrom runs the pairs of configs in docs/how-to/coming-from: Pillion's config must create the same pods as
// the other tool's. The pods of the other tool are in expected.yaml, written by hand from its documentation; a
// SidecarSet and a kustomization are run as well.
func TestComingFrom(t *testing.T) {
	page := readFile(t, filepath.Join(root, "docs", "how-to", "coming-from.md"))
	for _, pair := range comingFromPairs(t) {
		t.Run(filepath.Base(pair), func(t *testing.T) {
			if link := "](coming-from/" + filepath.Base(pair) + "/"; !strings.Contains(page, link) {
				t.Errorf("docs/how-to/coming-from.md does not lead to it: there is no %q", link)
			}
			workload := readFile(t, filepath.Join(pair, "workload.yaml"))
			ours := injectedPods(t, readFile(t, filepath.Join(pair, "pillion.yaml")), workload)
			withoutOwnAnnotations(ours)
			switch filepath.Base(pair) {
			case "kustomize-patch":
				samePods(t, "the patch and the injector", patchedPods(t, pair), ours)
				return
			case "sidecarset":
				theirs := injectedPods(t, readFile(t, filepath.Join(pair, "theirs.yaml")), workload)
				withoutOwnAnnotations(theirs)
				samePods(t, "the SidecarSet and the injector", theirs, ours)
			}
			samePods(t, "what they document and the injector", podsOf(t, readFile(t, filepath.Join(pair, "expected.yaml"))), ours)
		})
	}
}

func comingFromPairs(t *testing.T) []string {
	t.Helper()
	pairs, err := filepath.Glob(filepath.Join(root, "docs", "how-to", "coming-from", "*", "pillion.yaml"))
	if err != nil || len(pairs) == 0 {
		t.Fatalf("no pairs: %v", err)
	}
	for i, config := range pairs {
		pairs[i] = filepath.Dir(config)
	}
	return pairs
}

// namedPod is the pod template of one workload.
type namedPod struct {
	Workload string
	corev1.PodTemplateSpec
}

func samePods(t *testing.T, claim string, want, got []namedPod) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s do not give the same pods (-want +got):\n%s", claim, diff)
	}
}

// withoutOwnAnnotations removes the annotations that only Pillion adds: its stamp, and the name of the app's container
// for kubectl if a sidecar is in front of it.
func withoutOwnAnnotations(pods []namedPod) {
	for i := range pods {
		maps.DeleteFunc(pods[i].Annotations, func(key, _ string) bool {
			return key == "kubectl.kubernetes.io/default-container" || strings.HasPrefix(key, "pillion.dev/injected-")
		})
		if len(pods[i].Annotations) == 0 {
			pods[i].Annotations = nil
		}
	}
}

// injectedPods runs Pillion with a config over workloads.
func injectedPods(t *testing.T, config, workloads string) []namedPod {
	t.Helper()
	r := mustRun(t, "", resourcelist.Wrap(resourcelist.Documents(workloads), config), "pillion")
	return podsOf(t, resourcelist.Join(itemsOf(t, r.stdout)))
}

// patchedPods builds a kustomization in process.
func patchedPods(t *testing.T, dir string) []namedPod {
	t.Helper()
	built, said, ok := plainBuild(dir)
	if !ok {
		t.Fatal(said)
	}
	return podsOf(t, built)
}

// podsOf reads the pod templates of Deployments and similar kinds.
func podsOf(t *testing.T, manifests string) []namedPod {
	t.Helper()
	var pods []namedPod
	for _, document := range resourcelist.Documents(manifests) {
		var workload struct {
			Metadata struct{ Name string }
			Spec     struct{ Template corev1.PodTemplateSpec }
		}
		if err := yaml.Unmarshal([]byte(document), &workload); err != nil {
			t.Fatal(err)
		}
		if len(workload.Spec.Template.Spec.Containers) == 0 {
			t.Fatalf("this has no pod template:\n%s", document)
		}
		pods = append(pods, namedPod{workload.Metadata.Name, workload.Spec.Template})
	}
	slices.SortFunc(pods, func(a, b namedPod) int { return strings.Compare(a.Workload, b.Workload) })
	return pods
}
