package page

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
)

// noNamespace is how pages name no namespace. No name in Kubernetes has brackets.
const noNamespace = "(none)"

// HTML writes one page that needs no other file. The counts and the table are plain HTML. The details of rows are data,
// which the script shows when they are opened: as HTML they would be many times larger.
func (p *Page) HTML(w io.Writer) error {
	m := &markup{}
	m.addHead(p)
	m.add("<main>\n<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n")
	m.addLines("said", p.Notes)
	m.addCounts(p.Counts)
	m.addLines("advice", p.Advice)
	m.add("</section>\n")
	m.addSection("said", "About the run", p.Findings)
	m.addGroups(p.Groups)
	m.addRows(p)
	m.addSection("left", "Skipped pods", p.Left)
	m.add("</main>\n")
	m.addScript(p.packed())
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markup) addCounts(counts []Count) {
	m.add("<ul class=\"tiles\">\n")
	for _, c := range counts {
		m.add(`<li class="tile {}" data-filter="{}" data-value="{}">`+
			`<b>{}</b> <span>{}</span> <small>{}</small></li>`+"\n",
			c.Class, c.Filter, c.Value, c.Number, c.Words, c.Remark)
	}
	m.add("</ul>\n")
}

// addSection adds a section of lines, if there are any.
func (m *markup) addSection(id, title string, lines []Line) {
	if len(lines) > 0 {
		m.add("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n", id, id, title)
		m.addLines("said", lines)
		m.add("</section>\n")
	}
}

// addLines adds a list, if there are any lines. It is cut if there are very many.
func (m *markup) addLines(class string, lines []Line) {
	const most = 100
	if len(lines) == 0 {
		return
	}
	m.add("<ul class=\"{}\">\n", class)
	for _, l := range lines[:min(len(lines), most)] {
		m.add(`<li class="{}">`, l.Class)
		m.addIf("<b>{}</b> ", l.Label)
		m.addIf("<code>{}</code> ", l.Code)
		m.add("{}", l.Text)
		m.addIf(" <code class=\"end\">{}</code>", l.End)
		m.add("</li>\n")
	}
	if more := len(lines) - most; more > 0 {
		m.add("<li>... and {} more; standard error and -o json have all of them</li>\n", strconv.Itoa(more))
	}
	m.add("</ul>\n")
}

// addIf adds HTML with a value, unless that is empty.
func (m *markup) addIf(html constant, value string) {
	if value != "" {
		m.add(html, value)
	}
}

// addGroups adds the section with a bar for each namespace. Those after the first eight are folded, and very many are
// left out.
func (m *markup) addGroups(groups []Group) {
	const unfolded, most = 8, 500
	if len(groups) == 0 {
		return
	}
	m.add("<section aria-labelledby=\"namespaces\">\n<h2 id=\"namespaces\">Namespaces</h2>\n<ul class=\"bars\">\n")
	for i, g := range groups[:min(len(groups), most)] {
		if i == unfolded {
			m.add("</ul><details class=\"more\"><summary>All {} namespaces</summary>"+
				"<ul class=\"bars\">\n", strconv.Itoa(len(groups)))
		}
		m.addBar(g)
	}
	m.add("</ul>")
	if len(groups) > most {
		m.add("<p class=\"note\">{} left out.</p>", spelling.Plural(len(groups)-most, "more namespace"))
	}
	if len(groups) > unfolded {
		m.add("</details>")
	}
	m.add("\n</section>\n")
}

func (m *markup) addBar(g Group) {
	const length = 1000
	m.add(`<li><span class="name">{}</span><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">`,
		cmp.Or(g.Name, noNamespace))
	before := 0
	for _, part := range g.Parts {
		start, end := before*length/g.Whole, (before+part.Count)*length/g.Whole
		m.add(`<rect class="{}" x="{}" width="{}" height="10"/>`,
			part.Class, strconv.Itoa(start), strconv.Itoa(end-start))
		before += part.Count
	}
	m.add("</svg><span class=\"words\">{}</span></li>\n", g.Words)
}

// addRows adds the section with the table, and the form of its filters, which the script shows and fills.
func (m *markup) addRows(p *Page) {
	m.add(`<section aria-labelledby="rows">
<h2 id="rows" tabindex="-1">{}s</h2>
<noscript><p class="note">Filters and {} need the script of this page, which does not run here; `+
		`<code>{}</code> prints them.</p></noscript>
<p class="note" id="failed" hidden>Filters and {} need a newer browser; <code>{}</code> prints them.</p>
<form class="filters" hidden role="search" aria-label="Filter the {}s">
<label class="text"><span>Search</span>`+
		`<input type="search" name="text" placeholder="{}" autocomplete="off" spellcheck="false"></label>
<p class="actions"><span id="count" role="status"></span><button type="button" id="open">Open all</button>`+
		`<button type="reset" id="reset" hidden>Clear filters</button></p>
</form>
<table>
<caption>Every {} with its {} and the reason</caption>
<thead><tr>`, title(p.Noun), p.Hidden, p.Command, p.Hidden, p.Command, p.Noun, p.Search, p.Noun, p.State)
	for _, heading := range p.headings() {
		m.add(`<th scope="col">{}</th>`, heading)
	}
	for _, heading := range p.Numbers {
		m.add(`<th scope="col" data-name>{}</th>`, heading)
	}
	m.add("</tr></thead>\n<tbody>")
	for i := range p.Rows {
		m.addRow(&p.Rows[i], p.Numbers)
	}
	m.add("</tbody>\n</table>\n"+
		"<p class=\"note\" id=\"nothing\" hidden>No {} matches these filters.</p>\n</section>\n", p.Noun)
}

// headings returns those of the columns before the numbers.
func (p *Page) headings() []string {
	all := []string{title(p.Noun), "Namespace", "Kind", title(p.State)}
	if len(p.Rows) > 0 && p.Rows[0].Injector != "" {
		all = append(all, "Injector")
	}
	return append(all, "Reason")
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

func (m *markup) addRow(r *Row, numbers []string) {
	m.add(`<tr><th scope="row">{}<td>{}<td>{}<td class="{}">{}`,
		cmp.Or(r.Name, "(no name)"), cmp.Or(r.Namespace, noNamespace), r.Kind, r.Class, r.State)
	m.addIf("<td>{}", r.Injector)
	m.add("<td class=why>")
	m.addIf("<code>{}</code> ", r.Code)
	for _, mark := range r.Marks {
		m.add(`<b class="{}">{}</b> `, mark.Class, mark.Code)
	}
	m.add("{}", r.Reason)
	for i, n := range r.Numbers {
		m.add(`<td data-name="{}">{}`, numbers[i], n.Words)
	}
	m.add("</td>\n")
}
