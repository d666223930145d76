package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
)

// JUnit writes the page as a test report, as CI systems show it: one test case for each workload, which fails if the
// workload is outdated or refused, and is skipped if the run left it as it is for a reason. An error that belongs to no
// workload is a case of its own.
func JUnit(w io.Writer, p Page) error {
	suite := junitSuite{Name: escape.Visible(p.Title)}
	for _, r := range p.rows() {
		suite.Cases = append(suite.Cases, junitCaseOf(r))
	}
	for _, f := range p.general() {
		if f.Severity == finding.Error {
			suite.Cases = append(suite.Cases, junitErrorOf(f))
		}
	}
	return writeJUnit(w, suite)
}

// writeJUnit writes a suite with its counts.
func writeJUnit(w io.Writer, suite junitSuite) error {
	for _, c := range suite.Cases {
		suite.Tests++
		suite.Failures += len(c.Failure)
		suite.Errors += len(c.Error)
		suite.Skipped += len(c.Skipped)
	}
	all := junitSuite{XMLName: xml.Name{Local: "testsuites"}, Name: "pillion", junitCounts: suite.junitCounts, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		text = bytes.ReplaceAll(text, []byte("##"), []byte("&#35;&#35;")) // these begin a command in the log of a CI system
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}

// The part of JUnit's format that GitLab, Jenkins and others read.
type (
	junitSuite struct {
		XMLName xml.Name
		Name    string `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
		Cases  []junitCase  `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Name    string         `xml:"name,attr"`
		Class   string         `xml:"classname,attr"`
		File    string         `xml:"file,attr,omitempty"`
		Failure []junitMessage `xml:"failure"` // one of these at most
		Error   []junitMessage `xml:"error"`
		Skipped []junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitCaseOf returns the test case of a workload. A failure has a line for each warning and error.
func junitCaseOf(r row) junitCase {
	c := junitCase{Name: escape.Visible(r.Object.String()), Class: "manifests"}
	if c.Name == "" {
		c.Name = "object"
	}
	if file := r.File; file != nil {
		c.Class, c.File = escape.Visible(file.Path), escape.Visible(file.Path)
	}
	switch {
	case r.Failed():
		c.Failure = newJUnitMessage(r.reason)
		for _, f := range r.others {
			c.Failure[0].Text += "\n" + escape.Visible(f.String())
		}
	case r.decision == decision.Skipped || r.decision == decision.HeldBack:
		c.Skipped = []junitMessage{{Message: escape.Visible(page.WithCode(r.reason.Code, r.reason.Message))}}
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

func newJUnitMessage(f finding.Finding) []junitMessage {
	return []junitMessage{{Type: string(f.Code), Message: escape.Visible(f.Message), Text: escape.VisibleLines(f.String())}}
}
