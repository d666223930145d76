package outcome_test

import (
	"fmt"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
)

func TestEqualChangesAreCountedOverWorkloads(t *testing.T) {
	run := outcome.Run{}
	for i := range 5 {
		upgrade := decision.Change{
			Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: "image", Old: "envoy:v1", New: "envoy:v2",
		}
		upgrade.Template = fmt.Sprintf("spec.templates[%d]", i)
		app := decision.Change{Verb: decision.Adds, Path: fmt.Sprintf("spec/containers/app-%d/env", i), Key: "PROXY"}
		changes := []decision.Change{app, upgrade, upgrade}
		if i > 2 {
			changes = changes[:1]
		}
		run.Workloads = append(run.Workloads, &outcome.Workload{Outcomes: []*outcome.Outcome{{Decision: decision.Updated, Changes: changes}}})
	}
	got := fmt.Sprint(run.Changes())
	if want := "[5 x adds env variable PROXY of a container 3 x container envoy: image envoy:v1 -> envoy:v2]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhatIsJoinedToAVariableIsCountedWhateverItIs(t *testing.T) {
	run := outcome.Run{}
	for _, name := range []string{"web", "api"} {
		path := "spec/containers/" + name + "/env/OTEL_RESOURCE_ATTRIBUTES/value/,"
		changes := []decision.Change{{Verb: decision.Adds, Path: path, Key: "service.name=" + name}}
		run.Workloads = append(run.Workloads, &outcome.Workload{Outcomes: []*outcome.Outcome{{Decision: decision.Injected, Changes: changes}}})
	}
	got := fmt.Sprint(run.Changes())
	if want := "[2 x adds a value of env variable OTEL_RESOURCE_ATTRIBUTES of a container]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAWorkloadWithSeveralTemplatesHasEachChangeOnce(t *testing.T) {
	var o outcome.Outcome
	for _, template := range []string{"spec.head.template", "spec.workers[0].template", "spec.workers[1].template"} {
		o.Changes = append(o.Changes,
			decision.Change{Verb: decision.Adds, Template: template, Path: "spec/containers", Key: "logs"},
			decision.Change{Verb: decision.Adds, Template: template, Path: "spec/containers", Key: "envoy"})
	}
	w := outcome.Workload{Outcomes: []*outcome.Outcome{&o}}
	if got := fmt.Sprint(w.Changes()); got != "[adds containers logs, envoy]" {
		t.Error(got)
	}
}
