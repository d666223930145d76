package report

import (
	"encoding/xml"
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
)

// JUnit writes the page as a test report, as CI systems show it: one test case for each workload, which fails if the workload is
// out of date or refused, and is skipped if the run left it as it is for a reason. An error that belongs to no workload is a case
// of its own.
func JUnit(w io.Writer, p Page) error {
	suite := junitSuite{Name: visible(p.Title), Cases: []junitCase{}}
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
	c := junitCase{Name: visible(r.workload.Object.String()), Class: "manifests"}
	if c.Name == "" {
		c.Name = "object"
	}
	if file := r.workload.File; file != nil {
		c.Class, c.File = visible(file.Path), visible(file.Path)
	}
	switch r.decision {
	case outcome.OutOfDate, outcome.Refused:
		c.Failure = newJUnitMessage(r.reason)
		for _, f := range r.others {
			c.Failure.Text += "\n" + visible(f.String())
		}
	case outcome.Skipped, outcome.HeldBack:
		c.Skipped = &junitMessage{Message: visible(string(r.reason.Code) + ": " + r.reason.Message)}
	}
	return c
}

func junitErrorOf(f finding.Finding) junitCase {
	c := junitCase{Name: string(f.Code), Class: "pillion", Error: newJUnitMessage(f)}
	if f.File != nil {
		c.Class, c.File = visible(f.File.Path), visible(f.File.Path)
	}
	return c
}

func newJUnitMessage(f finding.Finding) *junitMessage {
	return &junitMessage{Type: string(f.Code), Message: visible(f.Message), Text: visibleLines(f.String())}
}

// add adds a test case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// The part of JUnit's format that GitLab, Jenkins and others read.
type (
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)
