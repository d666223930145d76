package report

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

func TestTheReasonIsTheFindingBehindTheDecision(t *testing.T) {
	adds := []outcome.Change{{Verb: outcome.Adds, Path: "spec/containers", Key: "x"}}
	skipped := outcome.Outcome{Injector: "logs", Decision: outcome.Skipped, Findings: []finding.Finding{{
		Code:     finding.OptedOut,
		Injector: "logs",
	}}}
	envoy := outcome.Outcome{Injector: "envoy", Decision: outcome.Injected, Changes: adds, Findings: []finding.Finding{
		{Severity: finding.Warning, Code: finding.NoDigest, Injector: "envoy"},
	}}
	otel := outcome.Outcome{Injector: "otel", Decision: outcome.Injected, Changes: adds}
	vault := outcome.Outcome{Injector: "vault", Decision: outcome.Refused, Findings: []finding.Finding{
		{Severity: finding.Error, Code: finding.PortConflict, Injector: "vault"},
	}}
	for _, test := range []struct {
		outcomes  []*outcome.Outcome
		decision  outcome.Decision
		code      finding.Code
		injectors string
	}{
		{[]*outcome.Outcome{&skipped, &envoy, &otel}, outcome.Injected, finding.Injected, "envoy,otel"},
		{[]*outcome.Outcome{&skipped, &vault}, outcome.Refused, finding.PortConflict, "vault"},
		{[]*outcome.Outcome{&skipped}, outcome.Skipped, finding.OptedOut, "logs"},
		{nil, outcome.Skipped, "", ""},
	} {
		r := newRow(&outcome.Workload{Outcomes: test.outcomes})
		if r.decision != test.decision || r.reason.Code != test.code || r.injectors() != test.injectors {
			t.Errorf("got %s because of %s by %v, want %+v", r.decision, r.reason.Code, r.injectors(), test)
		}
	}
}
