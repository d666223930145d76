package report

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/page"
)

// SARIF writes warnings and errors in the Static Analysis Results Interchange Format 2.1.0, for code-scanning pages, and what would
// change as notes. Other info findings are left out, because such a page creates an alert for each result. A finding without a
// file is a notification of the run, because GitHub refuses all results if one has no file.
func SARIF(w io.Writer, p Page) error {
	findings := p.general()
	for i := range p.Run.Workloads {
		findings = append(findings, p.Run.Workloads[i].Findings()...)
	}
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity < finding.Warning && !isChange(f.Code) })

	run := sarifRun{Results: []sarifResult{}, ColumnKind: "unicodeCodePoints"}
	run.Tool.Driver = sarifDriver{Name: "Pillion", Rules: sarifRules(findings)}
	// What is out of date is a result of a verification that succeeded.
	invocation := sarifInvocation{ExecutionSuccessful: !p.Run.Failed() || p.Run.IsOnlyOutOfDate()}
	for _, f := range findings {
		message := sarifMessage(f)
		rule := slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == f.Code })
		if !inFile(f) {
			invocation.Notifications = append(invocation.Notifications, sarifNotification{
				Level: sarifLevel(f.Severity), Message: message, Rule: sarifRuleRef{f.Code, rule}, Locations: sarifLocations(f),
			})
			continue
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Code, RuleIndex: rule, Level: sarifLevel(f.Severity), Message: message, Locations: sarifLocations(f),
		})
	}
	run.Invocations = []sarifInvocation{invocation}

	return page.WriteJSON(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// isChange reports whether a code is that of something that changes, or would change.
func isChange(code finding.Code) bool {
	return slices.Contains([]finding.Code{finding.Injected, finding.Updated, finding.Removed, finding.HeldBack}, code)
}

// inFile reports whether a finding has a file that other programs can open.
func inFile(f finding.Finding) bool { return f.File != nil && f.File.Path != finding.Stdin }

// sarifRules returns the codes that occur, sorted, each with its help.
func sarifRules(findings []finding.Finding) []sarifRule {
	worst := map[finding.Code]finding.Severity{}
	for _, f := range findings {
		worst[f.Code] = max(worst[f.Code], f.Severity)
	}
	rules := make([]sarifRule, 0, len(worst))
	for code, severity := range worst {
		help := cmp.Or(code.Help(), string(code))
		short, _, _ := strings.Cut(help, ". ")
		rules = append(rules, sarifRule{
			ID: code, Name: string(code),
			Short: sarifText{strings.TrimSuffix(short, ".") + "."}, Full: sarifText{help}, Help: sarifText{help},
			Default: sarifConfiguration{sarifLevel(severity)},
		})
	}
	slices.SortFunc(rules, func(a, b sarifRule) int { return cmp.Compare(a.ID, b.ID) })
	return rules
}

// sarifMessage returns the message of a finding and its details, in which no name from a manifest can become a link, which SARIF
// writes as [text](destination).
func sarifMessage(f finding.Finding) sarifText {
	text := escape.Line(f.Message)
	for detail := range strings.Lines(f.Detail) {
		text += "\n" + escape.Line(strings.TrimSuffix(detail, "\n"))
	}
	return sarifText{strings.ReplaceAll(text, "](", "] (")}
}

func sarifLevel(s finding.Severity) string {
	if s == finding.Info {
		return "note"
	}
	return s.String()
}

func sarifLocations(f finding.Finding) []sarifLocation {
	var at sarifLocation
	if inFile(f) {
		at.Physical = &sarifPhysical{File: sarifFileOf(f.File.Path)}
		if f.File.Line > 0 {
			at.Physical.Region = &sarifRegion{f.File.Line, f.File.Column}
		}
	}
	if o := f.Object; o != nil {
		name := o.String()
		if f.File != nil && !inFile(f) {
			name = f.File.String() + ": " + name
		}
		if f.Field != nil {
			name += ": " + f.Field.Path
		}
		at.Logical = []sarifLogical{{Name: o.Name, FullName: name, Kind: "resource"}}
	}
	if at.Physical == nil && at.Logical == nil {
		return nil
	}
	return []sarifLocation{at}
}

// sarifFileOf returns a path as a URI, which is relative to the repository's root unless the path is absolute.
func sarifFileOf(file string) sarifFile {
	file = strings.ReplaceAll(file, `\`, "/")
	if path.IsAbs(file) {
		return sarifFile{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifFile{URI: (&url.URL{Path: path.Clean(file)}).String(), Base: "%SRCROOT%"}
}
