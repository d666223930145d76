package report

import (
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

func TestTheReasonIsTheFindingBehindTheDecision(t *testing.T) {
	adds := []decision.Change{{Verb: decision.Adds, Path: "spec/containers", Key: "x"}}
	skipped := outcome.Outcome{Injector: "logs", Decision: decision.Skipped, Findings: []finding.Finding{{
		Code:     finding.OptedOut,
		Injector: "logs",
	}}}
	envoy := outcome.Outcome{Injector: "envoy", Decision: decision.Injected, Changes: adds, Findings: []finding.Finding{
		{Severity: finding.Warning, Code: finding.NoDigest, Injector: "envoy"},
	}}
	otel := outcome.Outcome{Injector: "otel", Decision: decision.Injected, Changes: adds}
	vault := outcome.Outcome{Injector: "vault", Decision: decision.Refused, Findings: []finding.Finding{
		{Severity: finding.Error, Code: finding.PortConflict, Injector: "vault"},
	}}
	for _, test := range []struct {
		outcomes  []*outcome.Outcome
		decision  decision.Decision
		code      finding.Code
		injectors string
	}{
		{[]*outcome.Outcome{&skipped, &envoy, &otel}, decision.Injected, finding.Injected, "envoy,otel"},
		{[]*outcome.Outcome{&skipped, &vault}, decision.Refused, finding.PortConflict, "vault"},
		{[]*outcome.Outcome{&skipped}, decision.Skipped, finding.OptedOut, "logs"},
		{nil, decision.Skipped, "", ""},
	} {
		r := newRow(&outcome.Workload{Outcomes: test.outcomes})
		if r.decision != test.decision || r.reason.Code != test.code || r.injectors() != test.injectors {
			t.Errorf("got %s because of %s by %v, want %+v", r.decision, r.reason.Code, r.injectors(), test)
		}
	}
}
