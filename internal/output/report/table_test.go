package report_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/test/sample"
)

// mesh is a page of workloads in the order in which nobody wants to read them: unchanged, changed, skipped and refused
// by turns.
func mesh(n int) report.Page {
	page := report.Page{Run: outcome.Run{DryRun: true}}
	for i := range n {
		o := outcome.Outcome{Injector: "envoy"}
		switch i % 4 {
		case 0:
			o.Decision = decision.Unchanged
		case 1:
			o.Decision, o.Changes = decision.Updated, []decision.Change{{
				Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: "image", Old: "envoy:v1", New: "envoy:v2",
			}, {Verb: decision.Adds, Path: fmt.Sprintf("spec/containers/app-%d/env", i), Key: "PROXY"}}
		case 2:
			o.Decision, o.Findings = decision.Skipped, []finding.Finding{{Code: finding.OptedOut, Message: "it opts out"}}
		case 3:
			o.Decision, o.Findings = decision.Refused, []finding.Finding{
				{Severity: finding.Error, Code: finding.PortConflict, Message: fmt.Sprintf("port %d is taken", i)},
			}
		}
		w := under(o)
		w.Object = finding.Object{Kind: "Pod", Name: fmt.Sprintf("pod-%d", i)}
		page.Run.Workloads = append(page.Run.Workloads, w)
	}
	return page
}

func TestALongTableFoldsEqualRowsAndStartsWithWhatMatters(t *testing.T) {
	page := mesh(18)
	for i := range 20 {
		w := under(outcome.Outcome{Injector: "envoy", Decision: decision.Unchanged})
		w.Object = finding.Object{Kind: "Pod", Name: fmt.Sprintf("more-%d", i)}
		page.Run.Workloads = append(page.Run.Workloads, w)
	}
	want := `NAMESPACE   WORKLOAD     DECISION       REASON
<none>      pod/pod-3    refused        PortConflict: port 3 is taken
<none>      pod/pod-7    refused        PortConflict: port 7 is taken
<none>      pod/pod-11   refused        PortConflict: port 11 is taken
<none>      pod/pod-15   refused        PortConflict: port 15 is taken
<none>      pod/pod-1    would update   container envoy: image envoy:v1 -> envoy:v2; adds env variable PROXY of a container
<none>      pod/pod-5    would update   container envoy: image envoy:v1 -> envoy:v2; adds env variable PROXY of a container
<none>      pod/pod-9    would update   container envoy: image envoy:v1 -> envoy:v2; adds env variable PROXY of a container
... and 2 more; -o wide shows all
<none>      pod/pod-0    unchanged
<none>      pod/pod-4    unchanged
<none>      pod/pod-8    unchanged
... and 22 more
<none>      pod/pod-2    skipped        OptedOut: it opts out
<none>      pod/pod-6    skipped        OptedOut: it opts out
<none>      pod/pod-10   skipped        OptedOut: it opts out
<none>      pod/pod-14   skipped        OptedOut: it opts out
`
	if diff := cmp.Diff(want, write(t, "table", page)); diff != "" {
		t.Error(diff)
	}
	if wide := write(t, "wide", page); strings.Count(wide, "\n") != 39 || strings.Contains(wide, "... and") {
		t.Errorf("the wide table lacks rows:\n%s", wide)
	}
}

func TestAShortTableHasAllRows(t *testing.T) {
	if table := write(t, "table", mesh(30)); strings.Count(table, "\n") != 31 || strings.Contains(table, "... and") {
		t.Errorf("it lacks rows:\n%s", table)
	}
}

func TestATableSaysWhereAProblemIs(t *testing.T) {
	page := mesh(4)
	page.Run.Workloads[3].File = &finding.File{Path: "k8s/taken.yaml", Line: 7}
	if table := write(t, "table", page); !strings.Contains(table, "PortConflict: port 3 is taken (k8s/taken.yaml:7)\n") {
		t.Errorf("it is\n%s", table)
	}
}

func TestATableSaysWhyAVerificationFails(t *testing.T) {
	w := &outcome.Workload{Object: finding.Object{Kind: "Team", Name: "web"}}
	w.General = []finding.Finding{{Severity: finding.Warning, Code: finding.UnsupportedKind, Message: "it is not known"}}
	page := report.Page{Run: outcome.Run{Workloads: []*outcome.Workload{w}}.Verified()}
	for _, format := range []string{"table", "markdown"} {
		if got := write(t, format, page); !strings.Contains(got, "UnsupportedKind: it is not known") {
			t.Errorf("as %s, it is\n%s", format, got)
		}
	}
}

func TestATableFoldsSkippedRowsWhoseLabelsDiffer(t *testing.T) {
	page := report.Page{}
	for i := range 200 {
		w := under(outcome.Outcome{Injector: "envoy", Decision: decision.Skipped, Findings: []finding.Finding{
			{Code: finding.SelectorMismatch, Message: fmt.Sprintf("its labels (app=%d) do not match spec.selector (tier=web)", i)},
		}})
		if i == 100 {
			w.Outcomes[0].Findings[0].Severity = finding.Warning
		}
		w.Object = finding.Object{Kind: "Pod", Name: fmt.Sprintf("pod-%d", i)}
		page.Run.Workloads = append(page.Run.Workloads, w)
	}
	want := `NAMESPACE   WORKLOAD      DECISION   REASON
<none>      pod/pod-100   skipped    SelectorMismatch: its labels (app=100) do not match spec.selector (tier=web)
<none>      pod/pod-0     skipped    SelectorMismatch: its labels (app=0) do not match spec.selector (tier=web)
<none>      pod/pod-1     skipped    SelectorMismatch: its labels (app=1) do not match spec.selector (tier=web)
<none>      pod/pod-2     skipped    SelectorMismatch: its labels (app=2) do not match spec.selector (tier=web)
... and 196 more with SelectorMismatch; -o wide shows all
`
	if diff := cmp.Diff(want, write(t, "table", page)); diff != "" {
		t.Error(diff)
	}
}

func TestATableTellsWhySidecarsAreRemoved(t *testing.T) {
	page := report.Page{Run: outcome.Run{DryRun: true}}
	for i := range 40 {
		o := outcome.Outcome{
			Injector: "envoy", Decision: decision.Removed, Reason: finding.SelectorMismatch, Why: fmt.Sprintf("its labels (app=%d) do not match", i),
			Changes: []decision.Change{{Verb: decision.Removes, Path: "spec/containers", Key: "envoy"}},
		}
		if i == 39 { // because the run is to remove it
			o.Reason, o.Why = finding.Removed, "spec.action is Remove"
		}
		w := under(o)
		w.Object = finding.Object{Kind: "Pod", Name: fmt.Sprintf("pod-%d", i)}
		page.Run.Workloads = append(page.Run.Workloads, w)
	}
	want := `NAMESPACE   WORKLOAD     DECISION       REASON
<none>      pod/pod-0    would remove   SelectorMismatch: its labels (app=0) do not match; removes container envoy
<none>      pod/pod-1    would remove   SelectorMismatch: its labels (app=1) do not match; removes container envoy
<none>      pod/pod-2    would remove   SelectorMismatch: its labels (app=2) do not match; removes container envoy
... and 36 more with SelectorMismatch; -o wide shows all
<none>      pod/pod-39   would remove   removes container envoy
`
	if diff := cmp.Diff(want, write(t, "table", page)); diff != "" {
		t.Error(diff)
	}
	page.Run = page.Run.Verified()
	if got := write(t, "table", page); !strings.Contains(got, "Outdated: its labels (app=0) do not match; removes container envoy\n") {
		t.Errorf("verified, it is\n%s", got)
	}
}

func TestAWideTableHasTheMessagesOfAllInjectors(t *testing.T) {
	adds := func(container string) *outcome.Outcome {
		return &outcome.Outcome{
			Injector: container, Decision: decision.Injected,
			Changes: []decision.Change{{Verb: decision.Adds, Path: "spec/containers", Key: container}},
		}
	}
	page := report.Page{Run: outcome.Run{Workloads: []*outcome.Workload{{Outcomes: []*outcome.Outcome{adds("envoy"), adds("logs")}}}}}
	want := "adds container envoy [envoy]; adds container logs [logs]\n"
	if got := write(t, "wide", page); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant at the end\n%s", got, want)
	}
}

func TestTheSummaryGroupsChanges(t *testing.T) {
	page := mesh(720)
	for i := range 30 {
		page.Run.Workloads[1].Outcomes[0].Changes = append(page.Run.Workloads[1].Outcomes[0].Changes,
			decision.Change{Verb: decision.Adds, Path: "spec/volumes", Key: fmt.Sprintf("v%d", i)})
	}
	var b strings.Builder
	if err := report.RunSummary(&b, page.Run, finding.Error+1, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"180 x container envoy: image envoy:v1 -> envoy:v2\n180 x adds env variable PROXY of a container\n1 x adds volume v0\n",
		"1 x adds volume v7\n... and 22 more kinds of change\n",
		"720 workloads: would update 180; 180 unchanged, 180 skipped, 180 refused; inject would change nothing\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it lacks\n%sin\n%s", want, b.String())
		}
	}
	if html := write(t, "html", page); !strings.Contains(html, ">180 x container envoy: image envoy:v1 -&gt; envoy:v2</li>") {
		t.Error("the page does not have the changes")
	}
}

func TestTheSummaryIsPlainTextWhateverTheNames(t *testing.T) {
	run := outcome.Run{DryRun: true}
	for _, w := range sample.Hostile().Run.Workloads {
		w.Outcomes[0].Decision, w.Outcomes[0].Findings = decision.Injected, nil
		run.Workloads = append(run.Workloads, w)
	}
	var b strings.Builder
	if err := report.RunSummary(&b, run, finding.Error, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "\n") != 12 {
		t.Errorf("it is not a line for each of the first ten changes, for the rest, and for the counts:\n%s", b.String())
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("a control character is printed: %.60q", b.String()[i:])
	}
}
