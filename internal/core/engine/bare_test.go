package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/growth"
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

// TestAStampHasNoMoreThanTheConfigWrites deletes an entry of a list, repeats a line, and adds one for another path.
func TestAStampHasNoMoreThanTheConfigWrites(t *testing.T) {
	both := mustRun(t, cliques("", "one=x", "two=old"), injectorOf("a", replacesC))
	one := mustRun(t, cliques("", "one=x"), injectorOf("a", replacesC))
	const key = "pillion.dev/injected-a: "
	_, line, _ := strings.Cut(one, key)
	quoted, _, _ := strings.Cut(line, "\n")
	line = strings.Trim(quoted, "'")
	block := func(lines ...string) string {
		return strings.Replace(one, key+quoted, key+"|-\n      "+strings.Join(lines, "\n      "), 1)
	}
	without, _, _ := strings.Cut(both, "    - name: two\n")
	for name, items := range map[string]string{
		"of an entry that is gone": without, "twice": block(line, line), "twice, in another form": block(line, line+"x"),
	} {
		if after := mustRun(t, items, injectorOf("a", replacesC)); strings.Count(after, " 1 c/") != 1 {
			t.Errorf("a line %s stays:\n%s", name, after)
		}
		if _, said, failed := step(t, injectorOf("a", "action: Verify\n"+replacesC), items); !failed || !strings.Contains(said, "Outdated") {
			t.Errorf("a line %s passes a verification:\n%s", name, said)
		}
	}
	other := block(line, "spec.other "+line)
	if _, said, failed := step(t, injectorOf("a", "action: Verify\n"+replacesC), other); !failed || !strings.Contains(said, "ForeignStamp") {
		t.Errorf("a line of another path passes a verification:\n%s", said)
	}
}

// TestTheStampsOfOtherPathsStay runs a config that declares fewer paths of a kind.
func TestTheStampsOfOtherPathsStay(t *testing.T) {
	const pod = "    containers:\n    - name: app\n      image: app:1\n"
	const first = "apiVersion: x.example.com/v1\nkind: X\nmetadata:\n  name: x\nspec:\n  a:\n" + pod + "  b:\n" + pod
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
	for _, empty := range []string{
		"  annotations: {}\n", "  annotations:\n", "  annotations: null # none\n", "  annotations: {}\n  labels: {a: b}\n",
	} {
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
		"metadata:\n  annotations: [a]\n": "metadata.annotations must be a mapping",
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

// TestABrokenPodSpecIsRefusedIfItsObjectIsSelected has an entry without a name in an object that a selector matches.
func TestABrokenPodSpecIsRefusedIfItsObjectIsSelected(t *testing.T) {
	items := strings.Replace(cliques("  labels: {app: shop}\n", "one=x", "two=y"), "    - name: two\n      spec", "    - spec", 1)
	after, said, failed := step(t, injectorOf("a", "selector: {matchLabels: {app: shop}}\n"+replacesC), items)
	if !failed || after != items || !strings.Contains(said, "has no name") {
		t.Errorf("it says\n%s", said)
	}
}

// TestResourcesOfAPodAreNotThoseBesideIt wants resources of the pod where those may be others.
func TestResourcesOfAPodAreNotThoseBesideIt(t *testing.T) {
	const agent = "apiVersion: agents.example.com/v1\nkind: Agent\nmetadata:\n  name: x\nspec:\n" +
		"  resources:\n    requests: {cpu: 250m}\n  containers:\n  - name: app\n    image: app:1\n"
	config := injectorOf("a", "workloads: [{group: agents.example.com, kind: Agent, podSpecs: [spec]}]\n"+
		"podSpec:\n  resources: {limits: {cpu: 2}}\n")
	if after, said, failed := step(t, config, agent); !failed || after != agent || !strings.Contains(said, "KindLimits") {
		t.Errorf("it says\n%s", said)
	}
}

// TestStampsOfStrangersTakeLittleTime has very many lines in an annotation, and very many annotations and pod specs.
func TestStampsOfStrangersTakeLittleTime(t *testing.T) {
	run := func(items, wanted string) func() time.Duration {
		return func() time.Duration {
			var said string
			took := growth.Of(t, func() { _, said, _ = step(t, injectorOf("a", replacesC), items) })
			if !strings.Contains(said, wanted) {
				t.Fatalf("it says %.200s, want %s", said, wanted)
			}
			return took
		}
	}
	lines := func(n int) func() time.Duration {
		stamp := strings.Repeat("\\nx", n)
		return run(cliques("  annotations: {pillion.dev/injected-a: \""+stamp+"\"}\n", "one=x"), "Injected")
	}
	growth.Linear(t, "many lines", 16, lines(6_250), lines(100_000))
	specs := func(n int) func() time.Duration {
		annotations := "  annotations:\n"
		var values []string
		for i := range n {
			annotations += fmt.Sprintf("    a%d: x\n", i)
			values = append(values, fmt.Sprintf("c%d=x", i))
		}
		return run(cliques(annotations, values...), "split it")
	}
	growth.Linear(t, "many annotations and pod specs", 5, specs(1_000), specs(5_000)) // fewer are not refused
}
