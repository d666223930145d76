package outcome_test

import (
	"reflect"
	"slices"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

func TestResultsFollowTheFunctionSpecification(t *testing.T) {
	f := finding.Finding{
		Severity: finding.Error, Code: finding.PortConflict, Message: "taken",
		Object: &finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: "n", Name: "p"}, File: &finding.File{Path: "a.yaml", Index: 2},
		Field: &finding.Field{Path: "spec.x", Current: "1", Proposed: "2"}, Injector: "logs", Detail: "all fields have values",
	}
	var r struct {
		Message, Severity string
		ResourceRef       struct{ Kind, Name string }         `yaml:"resourceRef"`
		Field             struct{ Path, CurrentValue string } `yaml:"field"`
		File              struct {
			Path  string
			Index int
		}
		Tags map[string]string
	}
	if err := outcome.Result(f).Decode(&r); err != nil {
		t.Fatal(err)
	}
	if r.Severity != "error" || r.ResourceRef.Name != "p" || r.Field.Path != "spec.x" || r.File.Index != 2 ||
		r.Tags["code"] != "PortConflict" {
		t.Errorf("got %+v", r)
	}
}

func TestCountsAreOneLine(t *testing.T) {
	tests := map[string]decision.Counts{
		"12 workloads: 9 injected, 2 skipped, 1 refused": {decision.Injected: 9, decision.Skipped: 2, decision.Refused: 1},
		"1 workload: 1 unchanged":                        {decision.Unchanged: 1},
		"1 workload: 1 outdated":                         {decision.Outdated: 1},
		"0 workloads":                                    {},
	}
	for want, counts := range tests {
		if got := counts.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestADryRunCountsWhatItWouldDo(t *testing.T) {
	tests := map[string]decision.Counts{
		"13 workloads: would inject 9, would update 1; 2 skipped, 1 refused": {
			decision.Injected: 9, decision.Updated: 1, decision.Skipped: 2, decision.Refused: 1,
		},
		"2 workloads: would remove 2":           {decision.Removed: 2},
		"2 workloads: 1 held back, 1 unchanged": {decision.HeldBack: 1, decision.Unchanged: 1},
	}
	for want, counts := range tests {
		if got := counts.Line(true); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDescribeNamesTogetherWhatIsInOnePlace(t *testing.T) {
	change := func(verb decision.Verb, path, key, field string) decision.Change {
		return decision.Change{Verb: verb, Path: path, Key: key, Field: field}
	}
	got := decision.Describe([]decision.Change{
		change(decision.Updates, "spec/containers", "envoy", "args"), change(decision.Updates, "spec/containers", "envoy", "image"),
		change(decision.Updates, "spec/containers", "logs", "image"),
		change(decision.Adds, "spec/containers/web/env", "PROXY", ""),
		change(decision.Adds, "spec/containers/web/env", "HOST", ""), change(decision.Adds, "spec/containers/ports", "image", ""),
		change(decision.Adds, "spec", "hostname", ""), change(decision.Adds, "spec", "subdomain", ""),
		change(decision.Removes, "spec/tolerations", "#abc", ""),
		{Verb: decision.Leaves, Path: "spec/volumes", Key: "conf", Others: "logs, vault"},
	})
	want := `container envoy: updates args, image; container logs: updates image; adds env variables PROXY, HOST of container web; ` +
		`adds image of container ports; adds hostname, subdomain; removes an entry of tolerations; leaves volume conf to logs, vault`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnErrorHoldsEverythingBack(t *testing.T) {
	change := []decision.Change{{Verb: decision.Adds, Path: "spec/containers", Key: "envoy"}}
	run := outcome.Run{Workloads: []*outcome.Workload{
		{IsWritten: true, Outcomes: []*outcome.Outcome{{Decision: decision.Injected, Changes: change}, {Decision: decision.Skipped}}},
		{Outcomes: []*outcome.Outcome{{Decision: decision.Refused, Findings: []finding.Finding{{Severity: finding.Error}}}}},
		{Outcomes: []*outcome.Outcome{{Decision: decision.Unchanged}}},
	}}
	held := run.HoldBack()
	if got, want := held.Counts().String(), "3 workloads: 1 held back, 1 unchanged, 1 refused"; got != want || !held.Failed() {
		t.Errorf("got %s, want %s", got, want)
	}
	if held.Workloads[0].IsWritten {
		t.Error("a change is left to be written")
	}
	if got := held.Findings()[0]; got.Code != finding.HeldBack ||
		got.Message != `not written, because there are errors: adds container envoy` {
		t.Errorf("got %v", got)
	}
	if run.Workloads[0].Decision() != decision.Injected || !run.Workloads[0].IsWritten {
		t.Error("the run itself has changed")
	}
}

func TestFindingsFromASeverityAreThoseOfAllThatHaveIt(t *testing.T) {
	of := func(severities ...finding.Severity) (findings []finding.Finding) {
		for _, s := range severities {
			findings = append(findings, finding.Finding{Severity: s, Code: finding.NoDigest, Message: s.String()})
		}
		return findings
	}
	changes := []decision.Change{{Verb: decision.Adds, Template: "spec.template", Path: "spec/containers", Key: "envoy"}}
	all := of(finding.Info, finding.Warning, finding.Error)
	run := outcome.Run{Config: all, General: all, Workloads: []*outcome.Workload{
		{General: all, Outcomes: []*outcome.Outcome{{Decision: decision.Injected, Changes: changes, Findings: all}}},
		{Outcomes: []*outcome.Outcome{{Decision: decision.Outdated, Changes: changes}, {Decision: decision.Unchanged, Findings: all}}},
	}}
	for _, least := range []finding.Severity{finding.Info, finding.Warning, finding.Error} {
		want := slices.DeleteFunc(run.Findings(), func(f finding.Finding) bool { return f.Severity < least })
		if got := run.FindingsFrom(least); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %v, want %v", least, got, want)
		}
	}
}
