package sample

import (
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
)

// hostile is a text with which somebody might attack the readers of a report.
var hostile = []string{
	`</script><script>window.pwned = 1</script>`,
	`<img src=x onerror="window.pwned = 1">`,
	`" onmouseover="window.pwned = 1`,
	`' autofocus onfocus='window.pwned = 1`,
	"line\u2028separator\u2029\u202ebackwards\x00\x1b[31m",
	`javascript:window.pwned=1`,
	`<!--<script>`, `]]>`, `{{.Script}}`, `${window.pwned = 1}`, "\xff\xfe",
	strings.Repeat("long", 500),
}

// Hostile returns a page with such texts, and with others.
func Hostile(others ...string) report.Page {
	p := report.Page{Title: hostile[0], Injectors: hostile}
	for _, s := range slices.Concat(hostile, others) {
		f := finding.Finding{
			Severity: finding.Error, Code: finding.Code(s), Message: s, Detail: s + "\n" + s, Injector: s, File: &finding.File{Path: s},
		}
		p.Run.General = append(p.Run.General, f)
		p.Run.Workloads = append(p.Run.Workloads, &outcome.Workload{
			Object: finding.Object{Kind: s, Name: s, Namespace: s}, File: f.File,
			Outcomes: []*outcome.Outcome{{
				Injector: s, Decision: decision.Decision(s), Reason: f.Code, Findings: []finding.Finding{f},
				Changes: []decision.Change{{Verb: decision.Verb(s), Template: s, Path: s, Key: s, Field: s, Others: s, Old: s, New: s}},
			}},
			Before: []byte("a: 1\n"), Edits: edit.Whole([]byte("a: 1\n"), []byte("a: 1\n"+s)),
		})
	}
	return p
}
