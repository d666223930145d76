package auditreport

import (
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/page"
)

// JSON writes the page for programs. Its fields are an API, described in docs/how-to/audit.md: they are added and never renamed. Lists are
// never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	counts, total := CountsOf(p.Audit.Rows), max(p.Total, len(p.Audit.Rows))
	out := auditJSON{
		Document: page.NewDocument("Audit", p.Title, p.Injectors, audit.States, counts, total),
		Owners:   []ownerJSON{}, Pods: make([]podJSON, len(p.Audit.Rows)), Findings: page.Findings(p.Audit.Findings),
	}
	for _, o := range p.owners() {
		out.Owners = append(out.Owners, newOwnerJSON(o))
	}
	for i := range p.Audit.Rows {
		out.Pods[i] = newPodJSON(&p.Audit.Rows[i])
	}
	return page.WriteJSON(w, out)
}

type auditJSON struct {
	page.Document
	Owners   []ownerJSON    `json:"owners"`
	Pods     []podJSON      `json:"pods"`
	Findings []page.Finding `json:"findings"`
}

// ownerJSON is a workload under one injector, with the counts of all its pods.
type ownerJSON struct {
	page.Object
	Injector    string      `json:"injector"`
	Counts      Counts      `json:"counts"`
	Template    audit.State `json:"template,omitempty"`
	Cause       audit.Cause `json:"cause,omitempty"`
	Explanation string      `json:"explanation,omitempty"`
}

func newOwnerJSON(o *owner) ownerJSON {
	return ownerJSON{
		Object: page.Object(o.Owner), Injector: o.Injector,
		Counts: o.Counts, Template: o.Template, Cause: o.Cause, Explanation: page.Cut(o.Explanation, longestJSON),
	}
}

// longestJSON is the length of the longest message.
const longestJSON = 2000

type podJSON struct {
	Name      string       `json:"name"`
	Namespace string       `json:"namespace,omitempty"`
	Injector  string       `json:"injector"`
	State     audit.State  `json:"state"`
	Owner     page.Object  `json:"owner"`
	Revision  string       `json:"revision,omitempty"`
	Reason    finding.Code `json:"reason,omitempty"`
	Message   string       `json:"message,omitempty"`
	Fields    []fieldJSON  `json:"fields"`
	Infos     []infoJSON   `json:"infos"`
}

// fieldJSON is a declared field. The live value is left out if there is none.
type fieldJSON struct {
	Path     string  `json:"path"`
	Declared string  `json:"declared"`
	Live     *string `json:"live,omitempty"`
}

type infoJSON struct {
	Code    finding.Code `json:"code"`
	Message string       `json:"message"`
}

func newPodJSON(row *audit.Row) podJSON {
	p := podJSON{
		Name: row.Pod, Namespace: row.Namespace, Injector: row.Injector, State: row.State, Owner: page.Object(row.Owner),
		Revision: row.Revision, Reason: row.Reason, Message: page.Cut(row.Message, longestJSON),
		Fields: make([]fieldJSON, len(row.Fields)), Infos: make([]infoJSON, len(row.Infos)),
	}
	p.Owner.Namespace = "" // it is the pod's
	for i, f := range row.Fields {
		p.Fields[i] = fieldJSON{Path: page.Cut(f.Path, longestJSON), Declared: page.Cut(f.Declared, longestJSON)}
		if !f.IsMissing {
			p.Fields[i].Live = new(page.Cut(f.Live, longestJSON))
		}
	}
	for i, info := range row.Infos {
		p.Infos[i] = infoJSON{info.Code, page.Cut(info.Message, longestJSON)}
	}
	return p
}
