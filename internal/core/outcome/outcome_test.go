package outcome_test

import (
	"reflect"
	"slices"
	"testing"

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
	tests := map[string]outcome.Counts{
		"12 workloads: 9 injected, 2 skipped, 1 refused": {outcome.Injected: 9, outcome.Skipped: 2, outcome.Refused: 1},
		"1 workload: 1 unchanged":                        {outcome.Unchanged: 1},
		"1 workload: 1 outdated":                         {outcome.Outdated: 1},
		"0 workloads":                                    {},
	}
	for want, counts := range tests {
		if got := counts.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestADryRunCountsWhatItWouldDo(t *testing.T) {
	tests := map[string]outcome.Counts{
		"13 workloads: would inject 9, would update 1; 2 skipped, 1 refused": {
			outcome.Injected: 9, outcome.Updated: 1, outcome.Skipped: 2, outcome.Refused: 1,
		},
		"2 workloads: would remove 2":           {outcome.Removed: 2},
		"2 workloads: 1 held back, 1 unchanged": {outcome.HeldBack: 1, outcome.Unchanged: 1},
	}
	for want, counts := range tests {
		if got := counts.Line(true); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDescribeNamesTogetherWhatIsInOnePlace(t *testing.T) {
	change := func(verb outcome.Verb, path, key, field string) outcome.Change {
		return outcome.Change{Verb: verb, Path: path, Key: key, Field: field}
	}
	got := outcome.Describe([]outcome.Change{
		change(outcome.Updates, "spec/containers", "envoy", "args"), change(outcome.Updates, "spec/containers", "envoy", "image"),
		change(outcome.Updates, "spec/containers", "logs", "image"),
		change(outcome.Adds, "spec/containers/web/env", "PROXY", ""),
		change(outcome.Adds, "spec/containers/web/env", "HOST", ""), change(outcome.Adds, "spec/containers/ports", "image", ""),
		change(outcome.Adds, "spec", "hostname", ""), change(outcome.Adds, "spec", "subdomain", ""),
		change(outcome.Removes, "spec/tolerations", "#abc", ""),
		{Verb: outcome.Leaves, Path: "spec/volumes", Key: "conf", Others: "logs, vault"},
	})
	want := `container envoy: updates args, image; container logs: updates image; adds env variables PROXY, HOST of container web; ` +
		`adds image of container ports; adds hostname, subdomain; removes an entry of tolerations; leaves volume conf to logs, vault`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAnErrorHoldsEverythingBack(t *testing.T) {
	change := []outcome.Change{{Verb: outcome.Adds, Path: "spec/containers", Key: "envoy"}}
	run := outcome.Run{Workloads: []*outcome.Workload{
		{IsWritten: true, Outcomes: []*outcome.Outcome{{Decision: outcome.Injected, Changes: change}, {Decision: outcome.Skipped}}},
		{Outcomes: []*outcome.Outcome{{Decision: outcome.Refused, Findings: []finding.Finding{{Severity: finding.Error}}}}},
		{Outcomes: []*outcome.Outcome{{Decision: outcome.Unchanged}}},
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
	if run.Workloads[0].Decision() != outcome.Injected || !run.Workloads[0].IsWritten {
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
	changes := []outcome.Change{{Verb: outcome.Adds, Template: "spec.template", Path: "spec/containers", Key: "envoy"}}
	all := of(finding.Info, finding.Warning, finding.Error)
	run := outcome.Run{Config: all, General: all, Workloads: []*outcome.Workload{
		{General: all, Outcomes: []*outcome.Outcome{{Decision: outcome.Injected, Changes: changes, Findings: all}}},
		{Outcomes: []*outcome.Outcome{{Decision: outcome.Outdated, Changes: changes}, {Decision: outcome.Unchanged, Findings: all}}},
	}}
	for _, least := range []finding.Severity{finding.Info, finding.Warning, finding.Error} {
		want := slices.DeleteFunc(run.Findings(), func(f finding.Finding) bool { return f.Severity < least })
		if got := run.FindingsFrom(least); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %v, want %v", least, got, want)
		}
	}
}
