package auditreport

import (
	_ "embed"
	"io"
	"slices"

	"pillion.dev/pillion/internal/table"
	"pillion.dev/pillion/internal/webpage"
)

var (
	//go:embed page/page.css
	style webpage.Constant
	//go:embed page/page.js
	script webpage.Constant
)

// HTML writes one page that needs no other file. Its policy allows only its own script, and no connections. The page has workloads and not
// pods, because a cluster has very many of them: the pods that are not current are data, which the script shows when a workload is opened.
func HTML(w io.Writer, p Page) error {
	all := lines(p.owners())
	v := pageView{
		Page: p, head: webpage.Head{
			Title: p.Title, Injectors: p.firstInjectors(), Style: style, Script: script, Content: "owners",
		},
		counts: CountsOf(p.Audit.Rows), namespaces: namespacesOf(p.Audit.Rows), lines: pageLines(all), advice: adviceOf(all),
	}
	v.hidden = max(len(v.lines)-mostLines, 0)
	v.lines = v.lines[:len(v.lines)-v.hidden]
	data, err := webpage.Pack(newPageData(v.lines), mostData)
	if err != nil {
		return err
	}
	m := &webpage.Markup{}
	v.add(m, data)
	_, err = io.WriteString(w, m.String())
	return err
}

// Limits that keep the page small for any cluster. With all of them reached it has a few megabytes.
const (
	mostLines      = 1000 // workloads, the worst ones
	mostPods       = 20   // of a workload
	mostNamespaces = 500
	mostInjectors  = 50
	mostData       = 16 << 20 // compressed bytes; the other limits keep the data far below it
)

// firstInjectors returns the names of the injectors, except of those beyond a limit.
func (p Page) firstInjectors() []string {
	names := slices.Clone(p.Injectors[:min(len(p.Injectors), mostInjectors)])
	for i := range names {
		names[i] = table.Cut(names[i], longest)
	}
	return names
}
