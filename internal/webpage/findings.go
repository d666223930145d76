package webpage

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
)

// AddFindings adds the section with the findings about the run as a whole.
func AddFindings(m *Markup, findings []finding.Finding) {
	if len(findings) == 0 {
		return
	}
	m.Add("<section aria-labelledby=\"said\">\n<h2 id=\"said\">About the run</h2>\n<ul class=\"said\">\n")
	for _, f := range findings {
		severity := f.Severity.String()
		m.Add(`<li class="{}"><b>{}</b> <code>{}</code> {}`, severity, severity, escape.Visible(string(f.Code)), escape.Visible(f.Message))
		if f.File != nil {
			m.Add(` <span class="place">{}</span>`, escape.Visible(finding.File{Path: f.File.Path, Line: f.File.Line}.String()))
		}
		m.Add("</li>\n")
	}
	m.Add("\n</ul>\n</section>")
}
