package engine_test

import (
	"context"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// TestReasonsForLiveObjects checks that an object which is only selected to say what was left out can be the example of
// why no workload matches.
func TestReasonsForLiveObjects(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(`{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector,
  metadata: {name: log}, spec: {names: [other], imagePullSecrets: [{name: registry}]}}`)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	live := finding.Source{Text: []byte(`{apiVersion: v1, kind: Pod, metadata: {name: web}, status: {phase: Running},
  spec: {containers: [{name: web, image: "web:1"}]}}`)}
	result, err := engine.Apply(context.Background(), config.WithGuarded(), live)
	if err != nil {
		t.Fatal(err)
	}
	if all := result.Run.Findings(); len(all) == 0 || all[len(all)-1].Code != finding.TooFewMatches {
		t.Errorf("the findings are %v", all)
	}
}
