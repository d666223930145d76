package auditreport

import (
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/jsontext"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/table"
)

// JSON writes the page for programs. Its fields are an API, described in docs/how-to/audit.md: they are added and never renamed. Lists are
// never null; unknown values are left out.
func JSON(w io.Writer, p Page) error {
	out := auditJSON{
		APIVersion: "pillion.dev/v1alpha1", Kind: "Audit", Title: p.Title, Injectors: append([]string{}, p.Injectors...),
		Counts: withZeroes(CountsOf(p.Audit.Rows)), Total: max(p.Total, len(p.Audit.Rows)),
		Owners: []ownerJSON{}, Pods: make([]podJSON, len(p.Audit.Rows)), Findings: jsontext.Findings(p.Audit.Findings),
	}
	for _, o := range p.owners() {
		out.Owners = append(out.Owners, newOwnerJSON(o))
	}
	for i := range p.Audit.Rows {
		out.Pods[i] = newPodJSON(&p.Audit.Rows[i])
	}
	return jsontext.Write(w, out)
}

// withZeroes returns counts with a number for each state.
func withZeroes(c Counts) Counts {
	for _, state := range audit.States {
		c[state] += 0
	}
	return c
}

type auditJSON struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Title      string             `json:"title"`
	Injectors  []string           `json:"injectors"`
	Counts     Counts             `json:"counts"`
	Total      int                `json:"total"`
	Owners     []ownerJSON        `json:"owners"`
	Pods       []podJSON          `json:"pods"`
	Findings   []jsontext.Finding `json:"findings"`
}

// ownerJSON is a workload under one injector, with the counts of all its pods.
type ownerJSON struct {
	APIVersion  string      `json:"apiVersion"`
	Kind        string      `json:"kind"`
	Namespace   string      `json:"namespace,omitempty"`
	Name        string      `json:"name"`
	Injector    string      `json:"injector"`
	Counts      Counts      `json:"counts"`
	Template    audit.State `json:"template,omitempty"`
	Cause       audit.Cause `json:"cause,omitempty"`
	Explanation string      `json:"explanation,omitempty"`
}

func newOwnerJSON(o *owner) ownerJSON {
	return ownerJSON{
		APIVersion: o.Owner.APIVersion, Kind: o.Owner.Kind, Namespace: o.Owner.Namespace, Name: o.Owner.Name, Injector: o.Injector,
		Counts: o.Counts, Template: o.Template, Cause: o.Cause, Explanation: table.Cut(o.Explanation, longestJSON),
	}
}

// longestJSON is the length of the longest message.
const longestJSON = 2000

type podJSON struct {
	Name      string        `json:"name"`
	Namespace string        `json:"namespace,omitempty"`
	Injector  string        `json:"injector"`
	State     audit.State   `json:"state"`
	Owner     referenceJSON `json:"owner"`
	Revision  string        `json:"revision,omitempty"`
	Reason    finding.Code  `json:"reason,omitempty"`
	Message   string        `json:"message,omitempty"`
	Fields    []fieldJSON   `json:"fields"`
	Infos     []infoJSON    `json:"infos"`
}

type referenceJSON struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
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
		Name: row.Pod, Namespace: row.Namespace, Injector: row.Injector, State: row.State, Owner: newReferenceJSON(row.Owner),
		Revision: row.Revision, Reason: row.Reason, Message: table.Cut(row.Message, longestJSON),
		Fields: make([]fieldJSON, len(row.Fields)), Infos: make([]infoJSON, len(row.Infos)),
	}
	for i, f := range row.Fields {
		p.Fields[i] = fieldJSON{Path: table.Cut(f.Path, longestJSON), Declared: table.Cut(f.Declared, longestJSON)}
		if !f.IsMissing {
			p.Fields[i].Live = new(table.Cut(f.Live, longestJSON))
		}
	}
	for i, info := range row.Infos {
		p.Infos[i] = infoJSON{info.Code, table.Cut(info.Message, longestJSON)}
	}
	return p
}

func newReferenceJSON(o live.Owner) referenceJSON { return referenceJSON{o.APIVersion, o.Kind, o.Name} }
