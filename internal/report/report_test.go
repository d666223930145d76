package report_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/report"
)

var findings = []finding.Finding{
	{Severity: finding.Info, Code: finding.Injected, Message: "adds it", Injector: "envoy", Object: &finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", Namespace: "shop"}},
	{Severity: finding.Warning, Code: finding.TooFewMatches, Message: "none"},
	{
		Severity: finding.Error, Code: finding.PortConflict, Message: "taken\x1b[31m\nreally",
		Object: &finding.Object{Kind: "Pod", Name: "p"}, File: &finding.File{Path: "a.yaml", Index: 2},
		Field: &finding.Field{Path: "spec.x", Current: "1", Proposed: "2"},
	},
}

func TestTextSaysTheWorstFirstAndEscapesAStrangersWords(t *testing.T) {
	var b strings.Builder
	if err := report.Text(&b, findings, finding.Warning, report.Line); err != nil {
		t.Fatal(err)
	}
	want := `error PortConflict: pod/p in a.yaml: taken\x1b[31m\nreally
warning TooFewMatches: none
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestAWorkflowCommandIsOneLineWithoutControls(t *testing.T) {
	f := findings[2]
	f.File = &finding.File{Path: "a\n::set-output name=x::\x1b[2J%.yaml", Line: 2, Column: 3}
	want := `::error file=a\n%3A%3Aset-output name=x%3A%3A\x1b[2J%25.yaml,line=2,col=3,title=PortConflict::pod/p: taken\x1b[31m\nreally`
	if got := report.GitHubLine(f); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	f.File = &finding.File{Path: finding.Stdin, Line: 2}
	want = `::error title=PortConflict::<stdin>:2: pod/p: taken\x1b[31m\nreally`
	if got := report.GitHubLine(f); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestResultsFollowTheFunctionSpecification(t *testing.T) {
	out, err := yaml.Marshal([]*yaml.Node{report.Result(findings[2])})
	if err != nil {
		t.Fatal(err)
	}
	var results []struct {
		Message, Severity string
		ResourceRef       struct{ Kind, Name string }         `yaml:"resourceRef"`
		Field             struct{ Path, CurrentValue string } `yaml:"field"`
		File              struct {
			Path  string
			Index int
		}
		Tags map[string]string
	}
	if err := yaml.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Severity != "error" || r.ResourceRef.Name != "p" || r.Field.Path != "spec.x" || r.File.Index != 2 || r.Tags["code"] != "PortConflict" {
		t.Errorf("got %+v from:\n%s", r, out)
	}
}

func TestCountsAreOneLine(t *testing.T) {
	tests := map[string]report.Counts{
		"12 workloads: 9 injected, 2 skipped, 1 refused": {Workloads: 12, Injected: 9, Skipped: 2, Refused: 1},
		"1 workload: 1 unchanged":                        {Workloads: 1, Unchanged: 1},
		"0 workloads":                                    {},
	}
	for want, counts := range tests {
		if got := counts.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
