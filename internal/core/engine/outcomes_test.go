package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
)

// TestOutcomes claims that each run of a sequence has one outcome for each injector, with its changes and their values.
func TestOutcomes(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: app\n    image: app:1\n"
	at := func(path string, line, column int, values ...string) *outcome.ChangeLocation {
		values = append(values, "", "")
		return &outcome.ChangeLocation{
			Field: finding.Field{Path: path, Current: values[0], Proposed: values[1]},
			File:  &finding.File{Path: "pod.yaml", Line: line, Column: column},
		}
	}
	other := injectorOf("other", "selector: {matchLabels: {app: none}}\ncontainers: [{name: other, image: other}]\n")
	const newSidecar = "containers: [{name: envoy, image: \"envoy:2\", mode: Container}]\n"
	for _, step := range []struct {
		name, spec string
		want       outcome.Outcome
	}{
		{"inject", "containers: [{name: envoy, image: \"envoy:1\", mode: Container}]\n", outcome.Outcome{
			Decision: decision.Injected, Reason: finding.Injected, Matched: true, HasSidecar: true, Changes: []decision.Change{
				{Verb: decision.Adds, Path: "spec/containers", Key: "envoy", New: "{name: envoy, image: envoy:1}"},
			}, Location: at("spec.containers", 6, 3),
		}},
		{"again", "containers: [{name: envoy, image: \"envoy:1\", mode: Container}]\n", outcome.Outcome{
			Decision: decision.Unchanged, Reason: finding.Unchanged, Matched: true, HasSidecar: true,
		}},
		{"verify", "action: Verify\n" + newSidecar, outcome.Outcome{
			Decision: decision.Outdated, Reason: finding.Outdated, Matched: true, HasSidecar: true, Changes: []decision.Change{
				{Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: "image", Old: "envoy:1", New: "envoy:2"},
			}, Location: at("spec.containers[1].image", 11, 19, "envoy:1", "envoy:2"),
		}},
		{"update", newSidecar, outcome.Outcome{
			Decision: decision.Updated, Reason: finding.Updated, Matched: true, HasSidecar: true, Changes: []decision.Change{
				{Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: "image", Old: "envoy:1", New: "envoy:2"},
			}, Location: at("spec.containers[1].image", 11, 19, "envoy:1", "envoy:2"),
		}},
		{"no longer selected", "expect: {min: 0}\nnames: [api]\n" + newSidecar, outcome.Outcome{
			Decision: decision.Removed, Reason: finding.NameMismatch, Why: "none of spec.names (api) matches its name",
			Changes: []decision.Change{
				{Verb: decision.Removes, Path: "spec/containers", Key: "envoy", Old: "{name: envoy, image: envoy:2}"},
			}, Location: at("spec.containers[1]", 11, 5),
		}},
	} {
		configs := []finding.Source{{Text: []byte(injectorOf("envoy", step.spec))}}
		if step.name != "verify" { // which all injectors of a run do, or none
			configs = append(configs, finding.Source{Text: []byte(other)})
		}
		config, problems := engine.ReadConfig(configs...)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		result := apply(config, finding.Source{File: "pod.yaml", Text: []byte(pod)})
		outcomes := result.Run.Workloads[0].Outcomes
		step.want.Injector = "envoy"
		if diff := cmp.Diff(&step.want, outcomes[0], cmpopts.IgnoreUnexported(outcome.Outcome{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if len(outcomes) != len(configs) {
			t.Errorf("%s: there are %d outcomes, want one for each of %d injectors", step.name, len(outcomes), len(configs))
		}
		if len(outcomes) > 1 && (outcomes[1].Decision != decision.Skipped || outcomes[1].Reason != finding.SelectorMismatch) {
			t.Errorf("%s: the other injector: %+v", step.name, outcomes[1])
		}
		if result.Texts[0] != nil {
			pod = string(result.Texts[0])
		}
	}
}
