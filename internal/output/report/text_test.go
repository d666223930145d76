package report_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
)

var findings = []finding.Finding{
	{Severity: finding.Info, Code: finding.Injected, Message: "adds it", Injector: "envoy", Object: &finding.Object{
		APIVersion: "apps/v1",
		Kind:       "Deployment", Name: "web", Namespace: "shop",
	}},
	{Severity: finding.Warning, Code: finding.TooFewMatches, Message: "none"},
	{
		Severity: finding.Error, Code: finding.PortConflict, Message: "taken\x1b[31m\nreally",
		Object: &finding.Object{Kind: "Pod", Name: "p"}, File: &finding.File{Path: "a.yaml", Index: 2},
		Field: &finding.Field{Path: "spec.x", Current: "1", Proposed: "2"},
	},
}

func TestTextSaysTheWorstFirstAndEscapesAStrangersWords(t *testing.T) {
	var b strings.Builder
	if err := report.Text(&b, findings, finding.Warning, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	want := `a.yaml: error: PortConflict: pod/p: taken\x1b[31m\nreally
warning TooFewMatches: none
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestTextSaysOnceWhatIsTheSameForSeveral(t *testing.T) {
	var many []finding.Finding
	for i := range 33 {
		f := finding.Finding{Severity: finding.Error, Code: finding.LeftOut, Message: "it is left out", Injector: "envoy"}
		f.Object = &finding.Object{Kind: "Pod", Name: fmt.Sprintf("p-%d", i)}
		f.File = &finding.File{Path: "a\x1b.yaml", Line: i + 1}
		if i%11 == 0 {
			f.Message = "it is something else"
			f.File = nil
		}
		many = append(many, f)
	}
	got := textOf(t, many, finding.Warning)
	want := `error LeftOut: each of these 3: it is something else [envoy]
  pod/p-0
  pod/p-11
  pod/p-22
error LeftOut: each of these 30: it is left out [envoy]
  a\x1b.yaml:2: pod/p-1
`
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 35 {
		t.Errorf("got\n%s\nwant at the start\n%s", got, want)
	}
	if got := textOf(t, many, finding.Info); strings.Count(got, "error: LeftOut: pod/") != 30 {
		t.Errorf("with everything, it is not a line for each:\n%s", got)
	}
	if got := textOf(t, many[:3], finding.Warning); strings.Count(got, "LeftOut: pod/") != 3 {
		t.Errorf("two of a kind are not lines of their own:\n%s", got)
	}
}

func textOf(t *testing.T, findings []finding.Finding, least finding.Severity) string {
	t.Helper()
	var b strings.Builder
	if err := report.Text(&b, findings, least, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestALongListOfACommandEndsWithHowToSeeTheRest(t *testing.T) {
	run := outcome.Run{General: nil}
	for i := range 100 {
		run.General = append(run.General, finding.Finding{
			Severity: finding.Error, Code: finding.LeftOut, Message: "it is left out",
			Object: &finding.Object{Kind: "Pod", Name: fmt.Sprintf("p-%d", i)},
		})
	}
	var b strings.Builder
	if err := report.RunFindings(&b, run, finding.Warning, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "\n  pod/p-9\n  ... and 90 more; -v lists all\n") {
		t.Errorf("it is\n%s", b.String())
	}
}

func TestAWorkflowCommandIsOneLineWithoutControls(t *testing.T) {
	f := findings[2]
	f.File = &finding.File{Path: "./a\n::set-output name=x::\x1b[2J%.yaml", Line: 2, Column: 3}
	want := `::error file=a\n%3A%3Aset-output name=x%3A%3A\x1b[2J%25.yaml,line=2,col=3,title=PortConflict::pod/p: taken\x1b[31m\nreally`
	if got := report.GitHubLine(f); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	f.File = &finding.File{Path: finding.Stdin, Line: 2}
	f.Detail = "spec:\n  \x1b[2Ja: 10%\n"
	want = `::error title=PortConflict::<stdin>:2: pod/p: taken\x1b[31m\nreally%0Aspec:%0A  \x1b[2Ja: 10%25`
	if got := report.GitHubLine(f); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
