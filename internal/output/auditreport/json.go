package auditreport

import (
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
)

// JSON writes the page for programs. Its fields are an API, described in docs/how-to/audit.md: they are added and never
// renamed. Lists are never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	owners := []page.Object{}
	for _, o := range p.workloads() {
		owners = append(owners, append(page.Identity(finding.Object(o.Creator)),
			"injector", o.Injector, "counts", o.Counts, "template,omitempty", o.Template, "cause,omitempty", o.Cause,
			"explanation,omitempty", cutJSON(o.Explanation)))
	}
	counts := CountsOf(p.Audit.Rows)
	return page.WriteJSON(w, append(page.Document("Audit", p.Title, p.Injectors, audit.States, counts),
		"owners", owners, "pods", page.EntriesOf(p.Audit.Rows, podJSON), "findings", page.Findings(p.Audit.Findings)))
}

func podJSON(row audit.Row) page.Object {
	fields, infos := []page.Object{}, []page.Object{}
	for _, f := range row.Fields {
		field := page.Object{"path", cutJSON(f.Path), "declared", cutJSON(f.Declared)}
		if !f.IsMissing {
			field = append(field, "live", cutJSON(f.Live))
		}
		fields = append(fields, field)
	}
	for _, info := range row.Infos {
		infos = append(infos, page.Object{"code", info.Code, "message", cutJSON(info.Message)})
	}
	owner := finding.Object{APIVersion: row.Creator.APIVersion, Kind: row.Creator.Kind, Name: row.Creator.Name}
	return page.Object{
		"name", row.Pod, "namespace,omitempty", row.Namespace, "injector", row.Injector, "state", row.State,
		"owner", page.Identity(owner),
		"revision,omitempty", row.Revision, "reason,omitempty", row.Reason, "message,omitempty", cutJSON(row.Message),
		"fields", fields, "infos", infos,
	}
}

// cutJSON bounds the length of texts from pods.
func cutJSON(text string) string { return escape.Clip(text, 2000) }
