package report

import (
	"strconv"

	"pillion.dev/pillion/internal/cost"
)

// markup returns the page as HTML.
func (v *pageView) markup() string {
	m := &markup{}
	v.addHead(m)
	m.add("<main>\n<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n")
	v.addGlance(m)
	m.add("</section>\n")
	v.addOthers(m)
	m.add("\n")
	v.addNamespaces(m)
	m.add(`
<section aria-labelledby="workloads">
<h2 id="workloads" tabindex="-1">Workloads</h2>
<noscript><p class="note">Filters and diffs need the script of this page, which does not run here. The table is complete; ` +
		`<code>pillion diff</code> prints the diffs.</p></noscript>
<p class="note" id="failed" hidden>Filters and diffs need a newer browser. The table is complete; ` +
		`<code>pillion diff</code> prints the diffs.</p>
`)
	v.addFilters(m)
	v.addTable(m)
	m.add("</section>\n</main>\n")
	v.addScripts(m)
	m.add("</body>\n</html>\n")
	return m.text.String()
}

func (v *pageView) addHead(m *markup) {
	m.add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{} – Pillion</title>
<style>`, v.Policy, v.Title)
	m.add(pageStyle)
	m.add(`</style>
</head>
<body>
<a class="skip" href="#workloads">Skip to the workloads</a>
<header>
<p class="brand">
<svg viewBox="0 0 28 18" width="28" height="18" aria-hidden="true">`+
		`<circle cx="9" cy="9" r="7.5"/><circle cx="20" cy="10.5" r="5.5"/></svg>
Pillion
</p>
<h1>{}</h1>
`, v.Title)
	if len(v.Injectors) > 0 {
		m.add(`<p class="injectors">{}`, "Injector"+plural(len(v.Injectors)))
		for _, name := range v.Injectors {
			m.add(" <code>{}</code>", name)
		}
		m.add("</p>")
	}
	m.add("\n</header>\n")
}

// addGlance adds the counts, the cost and the kinds of changes.
func (v *pageView) addGlance(m *markup) {
	if v.Left != "" {
		m.add(`<p class="note">Filtered: {}.</p>`, v.Left)
	}
	m.add("\n")
	if v.Held != "" {
		m.add(`<p class="note held">Nothing is written until the errors are settled: {} held back for the errors of others.</p>`, v.Held)
	}
	m.add("\n<div class=\"glance\">\n")
	v.addTiles(m)
	addCost(m, v.Cost)
	m.add("\n</div>\n")
	if len(v.Changes) > 0 {
		m.add("<ul class=\"changes\" aria-label=\"Changes\">\n")
		for _, change := range v.Changes {
			m.add("<li>{}</li>\n", change)
		}
		m.add("\n</ul>")
	}
	m.add("\n")
}

func (v *pageView) addTiles(m *markup) {
	rows, namespaces := len(v.Rows), len(v.Namespaces)
	m.add("<ul class=\"tiles\">\n<li class=\"tile\"><b>{}</b> <span>workload{}</span> <small>{} namespace{}</small></li>\n",
		strconv.Itoa(rows), plural(rows), strconv.Itoa(namespaces), plural(namespaces))
	for _, t := range v.Tiles {
		m.add("<li class=\"tile {}\" data-decision=\"{}\"><b>{}</b> <span>{}</span> <small>{}</small></li>\n",
			string(t.Decision), t.Label, strconv.Itoa(t.Count), t.Label, t.Percent)
	}
	if v.Warned > 0 {
		m.add(`<li class="tile warning" data-severity="warning"><b>{}</b> <span>with warnings</span> <small>whatever the decision</small></li>`,
			strconv.Itoa(v.Warned))
	}
	m.add("\n</ul>\n")
}

func addCost(m *markup, c cost.Total) {
	if c.String() == "" {
		return
	}
	requests, limits := c.Requests.Size(), c.Limits
	m.add("<div class=\"cost\">\n<dl>\n")
	addAmount(m, "CPU", requests.CPU(), c.Requests.MilliCPU < 0, limits.CPU(), limits.MilliCPU != 0)
	addAmount(m, "memory", requests.Memory(), c.Requests.Bytes < 0, limits.Memory(), limits.Bytes != 0)
	m.add("</dl>\n<p>{}</p>\n</div>", c.Over())
}

func addAmount(m *markup, name, requested string, freed bool, limits string, limited bool) {
	verb := "requested"
	if freed {
		verb = "freed"
	}
	m.add("<div><dt>{} {}", name, verb)
	if limited {
		m.add(" <small>limits {}</small>", limits)
	}
	m.add("</dt><dd>{}</dd></div>\n", requested)
}

// addOthers adds the findings that belong to no workload.
func (v *pageView) addOthers(m *markup) {
	if len(v.Others) == 0 {
		return
	}
	m.add("<section aria-labelledby=\"said\">\n<h2 id=\"said\">About the run</h2>\n<ul class=\"said\">\n")
	for _, o := range v.Others {
		m.add(`<li class="{}"><b>{}</b> <code>{}</code> {}`, o.Severity, o.Severity, o.Code, o.Message)
		if o.Place != "" {
			m.add(` <span class="place">{}</span>`, o.Place)
		}
		m.add("</li>\n")
	}
	m.add("\n</ul>\n</section>")
}

// addNamespaces adds a bar for each namespace. Those after the first eight are folded.
func (v *pageView) addNamespaces(m *markup) {
	const unfolded = 8
	if len(v.Namespaces) == 0 {
		return
	}
	m.add("<section aria-labelledby=\"namespaces\">\n<h2 id=\"namespaces\">Namespaces</h2>\n<ul class=\"bars\">\n")
	for i, bar := range v.Namespaces {
		if i == unfolded {
			m.add(`</ul><details class="more"><summary>All {} namespaces</summary><ul class="bars">`, strconv.Itoa(len(v.Namespaces)))
		}
		addBar(m, bar)
	}
	m.add("\n</ul>")
	if len(v.Namespaces) > unfolded {
		m.add("</details>")
	}
	m.add("\n</section>")
}

func addBar(m *markup, bar namespaceBar) {
	m.add(`<li><span class="name">{}</span><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">`, bar.Name)
	for _, part := range bar.Parts {
		m.add(`<rect class="{}" x="{}" width="{}" height="10"/>`, string(part.Decision), strconv.Itoa(part.X), strconv.Itoa(part.Width))
	}
	m.add("</svg><span class=\"words\">{}</span></li>\n", bar.Words)
}

func (v *pageView) addFilters(m *markup) {
	m.add(`<form class="filters" hidden role="search" aria-label="Filter the workloads">
<label class="text"><span>Search</span>` +
		`<input type="search" name="text" placeholder="name, reason, file" autocomplete="off" spellcheck="false"></label>
`)
	for _, f := range v.Filters {
		m.add(`<label><span>{}</span><select name="{}"><option value="">all</option>`, f.Label, f.Name)
		for _, value := range f.Values {
			m.add("<option>{}</option>", value)
		}
		m.add("</select></label>\n")
	}
	m.add(`
<p class="actions"><span id="count" role="status"></span><button type="button" id="open">Open all</button>` +
		`<button type="reset" id="reset" hidden>Clear filters</button></p>
</form>
`)
}

func (v *pageView) addTable(m *markup) {
	m.add(`<table>
<caption>Every workload: what happens to it, why, and what its sidecars request</caption>
<thead><tr><th scope="col">Workload</th><th scope="col">Namespace</th><th scope="col">Kind</th><th scope="col">Decision</th>` +
		`<th scope="col">Reason</th><th scope="col">CPU</th><th scope="col">Memory</th></tr></thead>
<tbody>`)
	for i := range v.Rows {
		v.Rows[i].add(m)
	}
	m.add("</tbody>\n</table>\n<p class=\"note\" id=\"nothing\" hidden>No workload matches these filters.</p>\n")
}

func (r *rowView) add(m *markup) {
	m.add(`<tr><th scope="row">{}<td>{}<td>{}<td class="{}">{}<td>`, r.Name, r.Namespace, r.Kind, r.Decision, r.Label)
	if r.Code != "" {
		m.add("<code>{}</code> ", r.Code)
	}
	for _, mark := range r.Marks {
		m.add(`<b class="{}">{}</b> `, mark.Severity, mark.Code)
	}
	m.add("{}<td>{}<td>{}</td>\n", r.Message, r.CPU, r.Memory)
}

// addScripts adds the data, as a JSON string of base64, and the script that reads it.
func (v *pageView) addScripts(m *markup) {
	m.add(`<script type="application/json" id="data">"`)
	m.addBase64(v.Data)
	m.add("\"</script>\n<script>")
	m.add(pageScript)
	m.add("</script>\n")
}

// plural returns the ending of a noun that is counted.
func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
