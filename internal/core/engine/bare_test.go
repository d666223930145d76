package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cliques is a PodCliqueSet with some cliques, each given as a name, and the value of a variable.
func cliques(metadata string, values ...string) string {
	text := "apiVersion: grove.io/v1alpha1\nkind: PodCliqueSet\nmetadata:\n  name: llm\n" + metadata + "spec:\n  template:\n    cliques:\n"
	for _, each := range values {
		name, value, _ := strings.Cut(each, "=")
		text += "    - name: " + name + "\n      spec:\n        podSpec:\n          containers:\n          - name: app\n" +
			"            image: app:1\n            env:\n            - name: C\n              value: " + value + "\n"
	}
	return text
}

const replacesC = "onConflict: {env: Replace}\nappContainers:\n- env: [{name: C, value: ours}]\n"

// TestTheStampOfAPodSpecThatIsGoneIsNotThatOfANewOne deletes an entry of a list, and adds another one of the same name.
func TestTheStampOfAPodSpecThatIsGoneIsNotThatOfANewOne(t *testing.T) {
	config := injectorOf("a", replacesC)
	both := mustRun(t, cliques("", "one=x", "two=old"), config)
	without := both[:strings.Index(both, "    - name: two\n")]
	without = mustRun(t, without, config)
	if strings.Contains(without, "[two]") {
		t.Errorf("the stamp of an entry that is gone stays:\n%s", without)
	}
	_, added, _ := strings.Cut(cliques("", "one=x", "two=new"), "    - name: two\n")
	again := mustRun(t, without+"    - name: two\n"+added, config)
	want := cliques("", "one=x", "two=new")
	if back := mustRun(t, again, removalOf("a")); back != want {
		t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(want, back))
	}
}

// TestTheStampsOfOtherPathsStay runs a config that declares fewer paths of a kind.
func TestTheStampsOfOtherPathsStay(t *testing.T) {
	first := "apiVersion: x.example.com/v1\nkind: X\nmetadata:\n  name: x\nspec:\n  a:\n    containers:\n    - name: app\n      image: app:1\n" +
		"  b:\n    containers:\n    - name: app\n      image: app:1\n"
	declared := func(paths, spec string) string {
		return injectorOf("a", "workloads: [{group: x.example.com, kind: X, podSpecs: "+paths+"}]\n"+spec)
	}
	const sidecar = "containers:\n- name: logs\n  image: logs:1\n"
	items := mustRun(t, first, declared("[spec.a, spec.b]", sidecar), declared("[spec.b]", "action: Remove\n"))
	if back := mustRun(t, items, declared("[spec.a, spec.b]", "action: Remove\n")); back != first {
		t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(first, back))
	}
}

// TestEmptyAnnotationsComeBack injects only into the second pod spec.
func TestEmptyAnnotationsComeBack(t *testing.T) {
	for _, empty := range []string{"  annotations: {}\n", "  annotations:\n", "  annotations: null # none\n"} {
		first := strings.Replace(cliques(empty, "one=x", "two=y"), "podSpec:\n", "podSpec:\n          hostNetwork: true\n", 1)
		with := mustRun(t, first, injectorOf("a", "hostNetwork: Skip\n"+replacesC))
		if back := mustRun(t, with, removalOf("a")); with == first || back != first {
			t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(first, back))
		}
	}
}

// TestMetadataMustBeThereForAStamp has nowhere to write the stamp.
func TestMetadataMustBeThereForAStamp(t *testing.T) {
	for metadata, want := range map[string]string{
		"": "metadata is missing", "metadata:\n": "metadata is missing", "metadata: []\n": "metadata must be a mapping",
	} {
		items := strings.Replace(cliques("", "one=x"), "metadata:\n  name: llm\n", metadata, 1)
		after, said, failed := step(t, injectorOf("a", replacesC), items)
		if !failed || after != items || !strings.Contains(said, want) {
			t.Errorf("%q: it says\n%s", metadata, said)
		}
	}
}

// TestResourcesBesideAPodSpecAreNotThePods has resources of the main container beside the fields of the pod, as many
// operators do.
func TestResourcesBesideAPodSpecAreNotThePods(t *testing.T) {
	const agent = "apiVersion: agents.example.com/v1\nkind: Agent\nmetadata:\n  name: x\nspec:\n" +
		"  resources:\n    requests: {cpu: 250m}\n    limits: {cpu: 500m}\n"
	config := injectorOf("a", "workloads: [{group: agents.example.com, kind: Agent, podSpecs: [spec], partial: true}]\n"+
		"containers:\n- name: logs\n  image: logs:1\n  resources:\n    requests: {cpu: 2}\n    limits: {cpu: 2}\n")
	if with := mustRun(t, agent, config); !strings.Contains(with, "  resources:\n    requests: {cpu: 250m}\n    limits: {cpu: 500m}\n") {
		t.Errorf("the resources have changed:\n%s", with)
	}
}
