package test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/resourcelist"
)

// TestComingFrom runs the pairs behind docs/coming-from.md: our config gives the pods that theirs gives. What theirs gives
// is written by hand, from what they document, in expected.yaml; a SidecarSet and a kustomization are run themselves.
func TestComingFrom(t *testing.T) {
	page := readFile(t, filepath.Join(root, "docs", "coming-from.md"))
	for _, pair := range comingFromPairs(t) {
		t.Run(filepath.Base(pair), func(t *testing.T) {
			if link := "](coming-from/" + filepath.Base(pair) + "/"; !strings.Contains(page, link) {
				t.Errorf("docs/coming-from.md does not lead to it: there is no %q", link)
			}
			workload := readFile(t, filepath.Join(pair, "workload.yaml"))
			ours := injectedPods(t, readFile(t, filepath.Join(pair, "pillion.yaml")), workload)
			withoutOurOwn(ours)
			switch filepath.Base(pair) {
			case "kustomize-patch":
				samePods(t, "the patch and the injector", patchedPods(t, pair), ours)
				return
			case "sidecarset":
				theirs := injectedPods(t, readFile(t, filepath.Join(pair, "theirs.yaml")), workload)
				withoutOurOwn(theirs)
				samePods(t, "the SidecarSet and the injector", theirs, ours)
			}
			samePods(t, "what they document and the injector", podsOf(t, readFile(t, filepath.Join(pair, "expected.yaml"))), ours)
		})
	}
}

func comingFromPairs(t *testing.T) []string {
	t.Helper()
	pairs, err := filepath.Glob(filepath.Join(root, "docs", "coming-from", "*"))
	if err != nil || len(pairs) == 0 {
		t.Fatalf("no pairs: %v", err)
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

// withoutOurOwn takes off what Pillion alone does: its stamp, and where a sidecar stands in front of the app, kubectl is
// told which container is the app's.
func withoutOurOwn(pods []namedPod) {
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
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	built, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return podsOf(t, string(built))
}

// podsOf reads the pod templates of Deployments and their like.
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
