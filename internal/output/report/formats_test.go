package report_test

import (
	"bytes"
	"encoding/xml"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/pods/cost"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/sample"
)

func write(t *testing.T, format string, p report.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Formats.Write(&b, format, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// under is a workload with one outcome.
func under(o outcome.Outcome) *outcome.Workload {
	return &outcome.Workload{Outcomes: []*outcome.Outcome{&o}}
}

func TestFormatsAreAsTheGoldenFilesShow(t *testing.T) {
	for _, format := range []string{"table", "wide", "json", "markdown", "junit", "github"} {
		t.Run(format, func(t *testing.T) {
			for range 2 { // the second page must be the same
				golden.Check(t, filepath.Join("testdata", "fleet."+format), write(t, format, sample.Fleet(12)))
			}
		})
	}
}

func TestAnEmptyPageIsAReportAsWell(t *testing.T) {
	for _, format := range report.Formats.Names() {
		got := write(t, format, report.Page{})
		if got == "" || strings.Contains(got, `":null`) || strings.Contains(got, `": null`) {
			t.Errorf("%s writes %.300q", format, got)
		}
	}
}

func TestATableSaysWhatToDoAndNothingMore(t *testing.T) {
	say := func(severity finding.Severity, code finding.Code, message string) finding.Finding {
		return finding.Finding{Severity: severity, Code: code, Message: message}
	}
	page := report.Page{Run: outcome.Run{DryRun: true, Workloads: []*outcome.Workload{
		under(outcome.Outcome{Decision: decision.Updated, Findings: []finding.Finding{
			say(finding.Warning, finding.Drifted, "set back"), say(finding.Warning, finding.Drifted, "again"),
		}, Changes: []decision.Change{{Verb: decision.Updates, Path: "spec/containers", Key: "envoy"}}}),
		under(outcome.Outcome{Decision: decision.Injected, Changes: []decision.Change{{
			Verb: decision.Adds, Path: "spec/containers",
			Key: "envoy",
		}}}),
		under(outcome.Outcome{Decision: decision.Skipped, Findings: []finding.Finding{say(finding.Info, finding.NotOptedIn, "opt in")}}),
	}}}
	want := `NAMESPACE   WORKLOAD   DECISION       REASON
<none>      <none>     would update   Drifted: set back (and 1 more); updates container envoy
<none>      <none>     would inject   adds container envoy
<none>      <none>     skipped        NotOptedIn: opt in
`
	if diff := cmp.Diff(want, write(t, "table", page)); diff != "" {
		t.Error(diff)
	}
}

func TestATableStaysATableWhateverTheNames(t *testing.T) {
	page := report.Page{Run: outcome.Run{Workloads: []*outcome.Workload{{
		Object: finding.Object{Kind: "Pod", Name: "a\tb\nc\x1b[2J\u202e", Namespace: "<none>"},
	}}}}
	for _, format := range []string{"table", "wide"} {
		got := write(t, format, page)
		if strings.Count(got, "\n") != 2 || strings.ContainsAny(got, "\t\x1b\u202e") || !strings.Contains(got, `a\tb\nc\x1b[2J\u202e`) {
			t.Errorf("%s writes %.300q", format, got)
		}
	}
}

func TestNoReportHasCommandsForTheLogOfCI(t *testing.T) {
	const hostile = "##vso[task.complete]"
	before := []byte("a: |\n  ::error::b\n  ##vso[task.complete]\n")
	page := report.Page{Title: hostile, Run: outcome.Run{Workloads: []*outcome.Workload{{
		Object:  finding.Object{Kind: "Pod", Name: hostile},
		File:    &finding.File{Path: hostile},
		General: []finding.Finding{{Severity: finding.Error, Code: finding.PortConflict, Message: hostile, Detail: "  ::error::b"}},
		Before:  before,
		Edits:   edit.Whole(before, append(before, "b: c\n"...)),
	}}}}
	command := regexp.MustCompile(`##[a-z]*\[|(?m:^\s*::)`)
	for _, format := range []string{"table", "wide", "json", "junit", "html", "markdown"} {
		if got := write(t, format, page); command.MatchString(got) {
			t.Errorf("%s has %q in\n%.2000s", format, command.FindString(got), got)
		}
	}
}

func TestJUnitIsXMLWhateverTheNames(t *testing.T) {
	hostile := "a]]>&<x>\"\x00\x1b[2J\u202e\xff\n"
	refusal := finding.Finding{Severity: finding.Error, Code: finding.PortConflict, Message: hostile, Detail: hostile}
	page := report.Page{Title: hostile, Run: outcome.Run{
		General: []finding.Finding{{Severity: finding.Error, Code: finding.TooFewMatches, Message: hostile}, {Code: finding.Cost}},
		Workloads: []*outcome.Workload{
			{Object: finding.Object{Kind: "Pod", Name: hostile}, File: &finding.File{Path: hostile}, General: []finding.Finding{refusal}},
			under(outcome.Outcome{Decision: decision.Skipped}),
			under(outcome.Outcome{Decision: decision.Unchanged}),
		},
	}}
	text := write(t, "junit", page)
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suite    struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text), &suites); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if suites.Tests != 4 || suites.Failures != 1 || suites.Errors != 1 || suites.Skipped != 1 || len(suites.Suite.Cases) != 4 {
		t.Errorf("it counts wrongly:\n%s", text)
	}
	name := suites.Suite.Cases[0].Name
	if !strings.Contains(name, `]]>&<x>"\x00\x1b[2J\u202e`) || strings.ContainsAny(text, "\x00\x1b\u202e") {
		t.Errorf("got %q in\n%s", name, text)
	}
}

func TestJSONHasANumberEvenForInfinity(t *testing.T) {
	endless := cost.Amount{MilliCPU: math.Inf(1), Bytes: math.Inf(-1)}
	page := report.Page{Run: outcome.Run{Workloads: []*outcome.Workload{{Cost: []cost.Addition{{
		Pod:      cost.Pod{Requests: endless},
		Replicas: 1,
	}}}}}}
	for _, format := range []string{"json", "html"} {
		if got := write(t, format, page); strings.Contains(got, "<nil>") {
			t.Errorf("%s writes %.300q", format, got)
		}
	}
}
