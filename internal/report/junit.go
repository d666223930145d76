package report

import (
	"encoding/xml"
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
)

// JUnit writes the page as a test report, as CI systems show it: one test case for each workload, which fails if the workload is
// out of date or refused, and is skipped if the run left it as it is for a reason. An error that belongs to no workload is a case
// of its own.
func JUnit(w io.Writer, p Page) error {
	suite := junitSuite{Name: escape.Visible(p.Title), Cases: []junitCase{}}
	for _, r := range p.rows() {
		suite.add(junitCaseOf(r))
	}
	for _, f := range p.general() {
		if f.Severity == finding.Error {
			suite.add(junitErrorOf(f))
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitSuites{junitCounts: suite.junitCounts, Name: "pillion", Suites: []junitSuite{suite}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitCaseOf returns the test case of a workload. A failure has a line for each warning and error.
func junitCaseOf(r row) junitCase {
	c := junitCase{Name: escape.Visible(r.Object.String()), Class: "manifests"}
	if c.Name == "" {
		c.Name = "object"
	}
	if file := r.File; file != nil {
		c.Class, c.File = escape.Visible(file.Path), escape.Visible(file.Path)
	}
	switch r.decision {
	case outcome.OutOfDate, outcome.Refused:
		c.Failure = newJUnitMessage(r.reason)
		for _, f := range r.others {
			c.Failure.Text += "\n" + escape.Visible(f.String())
		}
	case outcome.Skipped, outcome.HeldBack:
		c.Skipped = &junitMessage{Message: escape.Visible(string(r.reason.Code) + ": " + r.reason.Message)}
	}
	return c
}

func junitErrorOf(f finding.Finding) junitCase {
	c := junitCase{Name: string(f.Code), Class: "pillion", Error: newJUnitMessage(f)}
	if f.File != nil {
		c.Class, c.File = escape.Visible(f.File.Path), escape.Visible(f.File.Path)
	}
	return c
}

func newJUnitMessage(f finding.Finding) *junitMessage {
	return &junitMessage{Type: string(f.Code), Message: escape.Visible(f.Message), Text: escape.VisibleLines(f.String())}
}
