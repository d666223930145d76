package report

import (
	"strconv"

	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/webpage"
)

// markup returns the page as HTML.
func (v *pageView) markup() string {
	m := &webpage.Markup{}
	v.Head.Add(m)
	m.Add("<main>\n<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n")
	v.addGlance(m)
	m.Add("</section>\n")
	webpage.AddFindings(m, v.Others)
	m.Add("\n")
	webpage.AddBars(m, v.Namespaces)
	m.Add(`
<section aria-labelledby="workloads">
<h2 id="workloads" tabindex="-1">Workloads</h2>
<noscript><p class="note">Filters and diffs need the script of this page, which does not run here. The table is complete; ` +
		`<code>pillion diff</code> prints the diffs.</p></noscript>
<p class="note" id="failed" hidden>Filters and diffs need a newer browser. The table is complete; ` +
		`<code>pillion diff</code> prints the diffs.</p>
`)
	webpage.AddFilters(m, v.Filters, "workloads", "name, reason, file")
	v.addTable(m)
	m.Add("</section>\n</main>\n")
	v.Head.AddScript(m, v.Data)
	m.Add("</body>\n</html>\n")
	return m.String()
}

// addGlance adds the counts, the cost and the kinds of changes.
func (v *pageView) addGlance(m *webpage.Markup) {
	if v.Left != "" {
		m.Add(`<p class="note">Filtered: {}.</p>`, v.Left)
	}
	m.Add("\n")
	if v.Held != "" {
		m.Add(`<p class="note held">Nothing is written until the errors are settled: {} held back for the errors of others.</p>`, v.Held)
	}
	m.Add("\n<div class=\"glance\">\n")
	v.addTiles(m)
	addCost(m, v.Cost)
	m.Add("\n</div>\n")
	if len(v.Changes) > 0 {
		m.Add("<ul class=\"changes\" aria-label=\"Changes\">\n")
		for _, change := range v.Changes {
			m.Add("<li>{}</li>\n", change)
		}
		m.Add("\n</ul>")
	}
	m.Add("\n")
}

func (v *pageView) addTiles(m *webpage.Markup) {
	rows, namespaces := len(v.Rows), len(v.Namespaces)
	m.Add("<ul class=\"tiles\">\n<li class=\"tile\"><b>{}</b> <span>workload{}</span> <small>{} namespace{}</small></li>\n",
		strconv.Itoa(rows), webpage.Plural(rows), strconv.Itoa(namespaces), webpage.Plural(namespaces))
	for _, t := range v.Tiles {
		m.Add("<li class=\"tile {}\" data-decision=\"{}\"><b>{}</b> <span>{}</span> <small>{}</small></li>\n",
			string(t.Decision), t.Label, strconv.Itoa(t.Count), t.Label, t.Percent)
	}
	if v.Warned > 0 {
		m.Add(`<li class="tile warning" data-severity="warning"><b>{}</b> <span>with warnings</span> <small>whatever the decision</small></li>`,
			strconv.Itoa(v.Warned))
	}
	m.Add("\n</ul>\n")
}

func addCost(m *webpage.Markup, c cost.Total) {
	if c.String() == "" {
		return
	}
	requests, limits := c.Requests.Size(), c.Limits
	m.Add("<div class=\"cost\">\n<dl>\n")
	addAmount(m, "CPU", requests.CPU(), c.Requests.MilliCPU < 0, limits.CPU(), limits.MilliCPU != 0)
	addAmount(m, "memory", requests.Memory(), c.Requests.Bytes < 0, limits.Memory(), limits.Bytes != 0)
	m.Add("</dl>\n<p>{}</p>\n</div>", c.Over())
}

func addAmount(m *webpage.Markup, name, requested string, freed bool, limits string, limited bool) {
	verb := "requested"
	if freed {
		verb = "freed"
	}
	m.Add("<div><dt>{} {}", name, verb)
	if limited {
		m.Add(" <small>limits {}</small>", limits)
	}
	m.Add("</dt><dd>{}</dd></div>\n", requested)
}

func (v *pageView) addTable(m *webpage.Markup) {
	m.Add(`<table>
<caption>Every workload: what happens to it, why, and what its sidecars request</caption>
<thead><tr><th scope="col">Workload</th><th scope="col">Namespace</th><th scope="col">Kind</th><th scope="col">Decision</th>` +
		`<th scope="col">Reason</th><th scope="col">CPU</th><th scope="col">Memory</th></tr></thead>
<tbody>`)
	for i := range v.Rows {
		v.Rows[i].add(m)
	}
	m.Add("</tbody>\n</table>\n<p class=\"note\" id=\"nothing\" hidden>No workload matches these filters.</p>\n")
}

func (r *rowView) add(m *webpage.Markup) {
	m.Add(`<tr><th scope="row">{}<td>{}<td>{}<td class="{}">{}<td>`, r.Name, r.Namespace, r.Kind, r.Decision, r.Label)
	if r.Code != "" {
		m.Add("<code>{}</code> ", r.Code)
	}
	for _, mark := range r.Marks {
		m.Add(`<b class="{}">{}</b> `, mark.Severity, mark.Code)
	}
	m.Add("{}<td>{}<td>{}</td>\n", r.Message, r.CPU, r.Memory)
}
