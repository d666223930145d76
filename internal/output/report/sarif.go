package report

import (
	"cmp"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
)

// SARIF writes warnings and errors in the Static Analysis Results Interchange Format 2.1.0, for code-scanning pages,
// and what would change as notes. Other info findings are left out, because such a page creates an alert for each
// result. A finding without a file is a notification of the run, because GitHub refuses all results if one has no file.
func SARIF(w io.Writer, p Page) error {
	findings := p.general()
	for _, w := range p.Run.Workloads {
		findings = append(findings, w.Findings()...)
	}
	findings = slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity < finding.Warning && !isChange(f.Code) })

	codes := map[finding.Code]finding.Severity{} // with the worst severity
	for _, f := range findings {
		codes[f.Code] = max(codes[f.Code], f.Severity)
	}
	order := slices.Sorted(maps.Keys(codes))
	rules, results := []page.Object{}, []page.Object{}
	for _, code := range order {
		rules = append(rules, sarifRule(code, codes[code]))
	}
	var notifications []page.Object
	for _, f := range findings {
		index, level, message, locations := slices.Index(order, f.Code), sarifLevel(f.Severity), sarifMessage(f), sarifLocations(f)
		if inFile(f) {
			results = append(results, page.Object{
				"ruleId", f.Code, "ruleIndex", index, "level", level, "message", message, "locations", locations,
			})
			continue
		}
		notifications = append(notifications, page.Object{
			"level", level, "message", message, "associatedRule", page.Object{"id", f.Code, "index", index}, "locations,omitempty", locations,
		})
	}
	// What is outdated is a result of a verification that succeeded.
	invocation := page.Object{
		"executionSuccessful", !p.Run.Failed() || p.Run.IsOnlyOutdated(), "toolExecutionNotifications,omitempty", notifications,
	}
	driver := page.Object{"name", "Pillion", "rules", rules}
	run := page.Object{"tool", page.Object{"driver", driver}, "invocations", []page.Object{invocation}}
	run = append(run, "columnKind", "unicodeCodePoints", "results", results)
	const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	return page.WriteJSON(w, page.Object{"$schema", schema, "version", "2.1.0", "runs", []page.Object{run}})
}

// isChange reports whether a code is that of something that changes, or would change.
func isChange(code finding.Code) bool {
	return slices.Contains([]finding.Code{finding.Injected, finding.Updated, finding.Removed, finding.HeldBack}, code)
}

// inFile reports whether a finding has a file that other programs can open.
func inFile(f finding.Finding) bool { return f.File != nil && f.File.Path != finding.Stdin }

// sarifRule returns a code with its help.
func sarifRule(code finding.Code, severity finding.Severity) page.Object {
	help := cmp.Or(code.Help(), string(code))
	short, _, _ := strings.Cut(help, ". ")
	level := page.Object{"level", sarifLevel(severity)}
	return page.Object{
		"id", code, "name", string(code), "shortDescription", sarifText(strings.TrimSuffix(short, ".") + "."),
		"fullDescription", sarifText(help), "help", sarifText(help), "defaultConfiguration", level,
	}
}

func sarifText(text string) page.Object { return page.Object{"text", text} }

// sarifMessage returns the message of a finding and its details, in which no name from a manifest can become a link,
// which SARIF writes as [text](destination).
func sarifMessage(f finding.Finding) page.Object {
	text := escape.Line(f.Message)
	for detail := range strings.Lines(f.Detail) {
		text += "\n" + escape.Line(strings.TrimSuffix(detail, "\n"))
	}
	return sarifText(strings.ReplaceAll(text, "](", "] ("))
}

func sarifLevel(s finding.Severity) string {
	if s == finding.Info {
		return "note"
	}
	return s.String()
}

func sarifLocations(f finding.Finding) []page.Object {
	var at page.Object
	if inFile(f) {
		var region page.Object
		if f.File.Line > 0 {
			region = page.Object{"startLine", f.File.Line, "startColumn,omitempty", f.File.Column}
		}
		at = append(at, "physicalLocation", page.Object{"artifactLocation", sarifFile(f.File.Path), "region,omitempty", region})
	}
	if o := f.Object; o != nil {
		name := o.String()
		if f.File != nil && !inFile(f) {
			name = f.File.String() + ": " + name
		}
		if f.Field != nil {
			name += ": " + f.Field.Path
		}
		at = append(at, "logicalLocations", []page.Object{{"name", o.Name, "fullyQualifiedName", name, "kind", "resource"}})
	}
	if at == nil {
		return nil
	}
	return []page.Object{at}
}

// sarifFile returns a path as a URI, which is relative to the repository's root unless the path is absolute.
func sarifFile(file string) page.Object {
	file = strings.ReplaceAll(file, `\`, "/")
	if path.IsAbs(file) {
		return page.Object{"uri", (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return page.Object{"uri", (&url.URL{Path: path.Clean(file)}).String(), "uriBaseId", "%SRCROOT%"}
}
