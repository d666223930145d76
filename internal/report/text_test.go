package report_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/report"
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
