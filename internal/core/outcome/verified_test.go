package outcome_test

import (
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

func TestForemostIsTheChangeThatShowsMost(t *testing.T) {
	container := decision.Change{Verb: decision.Adds, Path: "spec/containers", Key: "envoy"}
	volume := decision.Change{Verb: decision.Adds, Path: "spec/volumes", Key: "conf"}
	image := decision.Change{Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: "image"}
	stamped := decision.Change{Verb: decision.Updates, Path: "metadata/annotations", Key: "pillion.dev/injected-envoy"}
	shared := decision.Change{Verb: decision.Shares, Path: "spec/volumes", Key: "conf", Others: "logs"}
	for name, test := range map[string]struct {
		changes []decision.Change
		want    int
	}{
		"nothing":                     {nil, -1},
		"the stamp alone":             {[]decision.Change{stamped}, 0},
		"a volume before the stamp":   {[]decision.Change{stamped, shared, volume}, 2},
		"a container before a volume": {[]decision.Change{volume, container}, 1},
		"a field before a container":  {[]decision.Change{container, image}, 1},
		"the first of equals":         {[]decision.Change{volume, container, container}, 1},
	} {
		if got := outcome.Foremost(test.changes); got != test.want {
			t.Errorf("%s: got %d, want %d", name, got, test.want)
		}
	}
}

func TestVerifiedWritesNothingAndReportsEveryChange(t *testing.T) {
	change := []decision.Change{{Verb: decision.Adds, Path: "spec/containers", Key: "envoy"}}
	workload := func(made decision.Decision, general ...finding.Finding) *outcome.Workload {
		return &outcome.Workload{
			IsWritten: true, General: general, Outcomes: []*outcome.Outcome{{Injector: "envoy", Decision: made, Changes: change}},
		}
	}
	refusal := finding.Finding{Severity: finding.Error, Code: finding.PortConflict}
	before := outcome.Run{KeepGoing: true, Workloads: []*outcome.Workload{
		workload(decision.Injected), workload(decision.Updated), workload(decision.Removed), workload(decision.HeldBack),
		workload(decision.Unchanged), workload(decision.Skipped), workload(decision.HeldBack, refusal),
	}}
	run := before.Verified().WithRemedy("run this")
	want := []decision.Decision{
		decision.Outdated, decision.Outdated, decision.Outdated, decision.Outdated, decision.Unchanged, decision.Skipped, decision.Refused,
	}
	for i, w := range run.Workloads {
		if w.IsWritten || w.Decision() != want[i] {
			t.Errorf("workload %d is %s, and is written: %v; want %s, and false", i, w.Decision(), w.IsWritten, want[i])
		}
	}
	if run.Writes() || run.IsOnlyOutdated() {
		t.Error("a run with a refused workload writes, or counts as only outdated")
	}
	if run.Workloads = run.Workloads[:6]; !run.IsOnlyOutdated() {
		t.Error("the run is not only outdated")
	}
	findings := run.Workloads[0].Findings()
	const message = `an injection would change it: `
	if f := findings[len(findings)-1]; f.Code != finding.Outdated || f.Detail != "" || f.Message[:len(message)] != message {
		t.Errorf("got %+v", f)
	}
	if before.Workloads[0].Decision() != decision.Injected || !before.Workloads[0].IsWritten {
		t.Error("the run itself changed")
	}
}

// TestHoldingBackLeavesTheOutcomesAsTheyAre claims that other workloads, which may share an outcome, do not change with
// it.
func TestHoldingBackLeavesTheOutcomesAsTheyAre(t *testing.T) {
	shared := &outcome.Outcome{Injector: "envoy", Decision: decision.Injected, Reason: finding.Injected}
	run := outcome.Run{Workloads: []*outcome.Workload{{Outcomes: []*outcome.Outcome{shared}}}}
	for _, other := range []outcome.Run{run.HoldBack(), run.Verified()} {
		if d := other.Workloads[0].Decision(); d == decision.Injected {
			t.Errorf("the decision is still %s", d)
		}
	}
	if shared.Decision != decision.Injected || shared.Reason != finding.Injected {
		t.Errorf("the outcome became %s, %s", shared.Decision, shared.Reason)
	}
}

// TestOnlyAnotherTagIsOlder claims that an image from elsewhere is not accepted as that of an older config.
func TestOnlyAnotherTagIsOlder(t *testing.T) {
	for old, isAccepted := range map[string]bool{
		"example.com:5000/s:1": true, "example.com:5000/s": true, "example.com:5000/s:1@sha256:0": true,
		"example.com/s:1": false, "other:5000/s:2": false, "s:2": false,
	} {
		image := decision.Change{Verb: decision.Updates, Path: "spec/containers", Key: "s", Field: "image", Old: old, New: "example.com:5000/s:2"}
		updated := &outcome.Outcome{Injector: "a", Decision: decision.Updated, Changes: []decision.Change{image}}
		run := outcome.Run{AcceptsOlder: true, Workloads: []*outcome.Workload{{Outcomes: []*outcome.Outcome{updated}}}}
		if got := !run.Verified().Workloads[0].Failed(); got != isAccepted {
			t.Errorf("%s: accepted: %t", old, got)
		}
	}
}
