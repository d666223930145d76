package report

import (
	"io"
	"path"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/escape"
)

// GitHub writes a run as RunSummary does, with the findings as workflow commands, one for each.
func GitHub(w io.Writer, p Page) error {
	return writeLines(w, append(linesOf(findingsOf(p.Run, p.Run.Level), GitHubLine), endOf(p.Run)...))
}

// GitHubLine returns a finding as a workflow command, which is one line even if the finding has details. GitHub shows
// it beside the line that it is about.
func GitHubLine(f finding.Finding) string {
	command := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}[f.Severity]
	var properties []string
	if inFile(f) {
		file := path.Clean(f.File.Path) // as GitHub names it: k8s/web.yaml, and not ./k8s/web.yaml
		properties = append(properties, "file="+escapeProperty(file))
		if f.File.Line > 0 {
			properties = append(properties, "line="+strconv.Itoa(f.File.Line))
		}
		if f.File.Column > 0 {
			properties = append(properties, "col="+strconv.Itoa(f.File.Column))
		}
	}
	properties = append(properties, "title="+escapeProperty(string(f.Code)))
	message := f.Message
	if f.Injector != "" {
		message += " [" + f.Injector + "]"
	}
	if f.Object != nil {
		message = f.Object.String() + ": " + message
	}
	if f.File != nil && !inFile(f) {
		message = f.File.String() + ": " + message
	}
	var text strings.Builder // a diff may have many lines
	text.WriteString("::" + command + " " + strings.Join(properties, ",") + "::" + escapeData(message))
	for detail := range strings.Lines(f.Detail) {
		text.WriteString("%0A" + escapeData(strings.TrimSuffix(detail, "\n"))) // GitHub shows it as a line break
	}
	return text.String()
}

// inFile reports whether a finding has a file that other programs can open.
func inFile(f finding.Finding) bool { return f.File != nil && f.File.Path != finding.Stdin }

// escapeData escapes characters that would end a workflow command, so that a manifest cannot begin its own, or that
// would move the cursor of a terminal that shows the log.
func escapeData(text string) string { return strings.ReplaceAll(escape.Line(text), "%", "%25") }

func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(text))
}
