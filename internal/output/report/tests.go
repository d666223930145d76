package report

import (
	"fmt"
	"io"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/testcase"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// Tests is a report about tests of injectors.
type Tests struct {
	Results []*testcase.Result
	Quiet   bool   // whether to leave out tests that pass
	Line    lineOf // how findings are written in a text
}

// TestFormats are the formats of a report about tests.
var TestFormats = page.Formats[Tests]{
	{Name: "text", Write: TestText},
	{Name: "junit", Write: TestJUnit},
	{Name: "github", Write: TestGitHub},
}

// TestText writes a line for each test, followed by its findings, and how many tests passed.
func TestText(w io.Writer, t Tests) error {
	var lines []string
	for _, r := range t.Results {
		if r.Verdict() == testcase.Passed && t.Quiet {
			continue
		}
		head := string(r.Verdict()) + " " + r.Dir + " (" + spelling.Plural(len(r.Workloads), "workload") + ")"
		lines = append(lines, escape.Line(head))
		lines = append(lines, linesOf(r.Findings, t.Line)...)
	}
	return writeLines(w, append(lines, t.totals()))
}

// TestGitHub writes the findings as workflow commands, one for each, and how many tests passed.
func TestGitHub(w io.Writer, t Tests) error {
	var lines []string
	for _, r := range t.Results {
		lines = append(lines, linesOf(r.Findings, GitHubLine)...)
	}
	return writeLines(w, append(lines, t.totals()))
}

// TestJUnit writes a test case for each test, which fails with all of its findings.
func TestJUnit(w io.Writer, t Tests) error {
	suite := junitSuite{Name: "injectors"}
	for _, r := range t.Results {
		c := junitCase{Name: escape.Visible(r.Dir), Class: "tests"}
		if len(r.Findings) > 0 {
			c.Failure = newJUnitMessage(r.Findings[0])
			c.Failure[0].Text = escape.VisibleLines(strings.Join(linesOf(r.Findings, finding.Finding.String), "\n"))
		}
		if r.Verdict() == testcase.Broken {
			c.Error, c.Failure = c.Failure, nil
		}
		suite.Cases = append(suite.Cases, c)
	}
	return writeJUnit(w, suite)
}

// Counts returns how many tests have each verdict.
func (t Tests) Counts() map[testcase.Verdict]int {
	counts := map[testcase.Verdict]int{}
	for _, r := range t.Results {
		counts[r.Verdict()]++
	}
	return counts
}

// totals returns how many tests passed, and how many did not.
func (t Tests) totals() string {
	counts := t.Counts()
	return fmt.Sprintf("%s: %d passed, %d failed, %d broken", spelling.Plural(len(t.Results), "test"),
		counts[testcase.Passed], counts[testcase.Failed], counts[testcase.Broken])
}
