package auditreport

import (
	"fmt"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/table"
	"pillion.dev/pillion/internal/webpage"
)

// pageView is what the page shows.
type pageView struct {
	Page
	head       webpage.Head
	counts     Counts
	namespaces []namespace
	lines      []pageLine
	advice     []advice
	hidden     int // workloads that are left out
}

// add adds the page.
func (v *pageView) add(m *webpage.Markup, data []byte) {
	v.head.Add(m)
	m.Add("<main>\n<section aria-labelledby=\"glance\">\n<h2 id=\"glance\">At a glance</h2>\n")
	if left := v.left(); left != "" {
		m.Add("<p class=\"note\">Filtered: {} states of pods.</p>\n", left)
	}
	v.addTiles(m)
	v.addAdvice(m)
	m.Add("</section>\n")
	webpage.AddFindings(m, shortened(v.Audit.Findings))
	m.Add("\n")
	v.addNamespaces(m)
	v.addOwners(m)
	v.addSkipped(m)
	m.Add("</main>\n")
	v.head.AddScript(m, data)
	m.Add("</body>\n</html>\n")
}

// addTiles adds the share of pods that are as declared, and the counts of the states.
func (v *pageView) addTiles(m *webpage.Markup) {
	m.Add("<ul class=\"tiles\">\n")
	if selected := v.counts.selected(); selected > 0 {
		m.Add("<li class=\"tile coverage\"><b>{}</b> <span>as declared</span> <small>{} of {}</small></li>\n",
			coverage(v.counts), strconv.Itoa(v.counts[audit.Current]), outcome.Plural(selected, "pod"))
	}
	var states []audit.State
	var parts []int
	for _, state := range audit.States {
		if v.counts[state] > 0 {
			states, parts = append(states, state), append(parts, v.counts[state])
		}
	}
	for i, percent := range webpage.Percentages(parts) {
		state := string(states[i])
		if states[i] == audit.Skipped { // these are not in the table
			m.Add("<li class=\"tile {}\">", state)
		} else {
			m.Add("<li class=\"tile {}\" data-state=\"{}\">", state, state)
		}
		m.Add("<b>{}</b> <span>{}</span> <small>{}</small></li>\n", strconv.Itoa(parts[i]), state, percent)
	}
	m.Add("</ul>\n")
}

func (v *pageView) addAdvice(m *webpage.Markup) {
	if len(v.advice) == 0 {
		return
	}
	m.Add("<ul class=\"advice\" aria-label=\"What to do\">\n")
	for _, a := range v.advice {
		m.Add("<li class=\"{}\"><b>{}</b> {}", string(a.state), string(a.state), a.text)
		if a.command != "" {
			m.Add(": <code>{}</code>", a.command)
		}
		m.Add("</li>\n")
	}
	m.Add("</ul>\n")
}

func (v *pageView) addNamespaces(m *webpage.Markup) {
	shown := v.namespaces[:min(len(v.namespaces), mostNamespaces)]
	bars := make([]webpage.Bar, len(shown))
	for i, n := range shown {
		bars[i] = n.bar()
	}
	webpage.AddBars(m, bars)
	if hidden := len(v.namespaces) - len(shown); hidden > 0 {
		m.Add("<p class=\"note\">{} with better coverage left out.</p>", outcome.Plural(hidden, "namespace"))
	}
	m.Add("\n")
}

func (v *pageView) addOwners(m *webpage.Markup) {
	m.Add(`<section aria-labelledby="owners">
<h2 id="owners" tabindex="-1">Owners</h2>
<noscript><p class="note">Filters and pods need the script of this page, which does not run here. <code>pillion audit -o wide</code> ` +
		`prints the pods.</p></noscript>
<p class="note" id="failed" hidden>Filters and pods need a newer browser. <code>pillion audit -o wide</code> prints the pods.</p>
`)
	if v.hidden > 0 {
		m.Add("<p class=\"note\">{} of {} are shown, the worst ones. <code>pillion audit -o wide</code> prints all.</p>\n",
			strconv.Itoa(len(v.lines)), outcome.Plural(len(v.lines)+v.hidden, "owner"))
	}
	webpage.AddFilters(m, v.filters(), "owners", "name, reason, pod")
	m.Add(`<table>
<caption>The workloads that pods belong to: the state of their pods, and why</caption>
<thead><tr><th scope="col">Owner</th><th scope="col">Namespace</th><th scope="col">Kind</th><th scope="col">Injector</th>` +
		`<th scope="col">State</th><th scope="col">Reason</th><th scope="col">Current</th></tr></thead>
<tbody>`)
	for i := range v.lines {
		v.lines[i].add(m)
	}
	m.Add("</tbody>\n</table>\n<p class=\"note\" id=\"nothing\" hidden>No owner matches these filters.</p>\n</section>\n")
}

// filters returns what the rows can be filtered by.
func (v *pageView) filters() []webpage.Filter {
	filters := []webpage.Filter{
		{Name: "namespace", Label: "Namespace", Values: webpage.Values(v.lines, pageLine.namespace)},
		{Name: "kind", Label: "Kind", Values: webpage.Values(v.lines, func(l pageLine) string { return visible(l.Owner.Kind) })},
		{Name: "injector", Label: "Injector", Values: webpage.Values(v.lines, func(l pageLine) string { return visible(l.Injector) })},
		{Name: "state", Label: "State"},
	}
	for _, state := range audit.States {
		if v.counts[state] > 0 && state != audit.Skipped {
			filters[3].Values = append(filters[3].Values, string(state))
		}
	}
	return filters
}

// addSkipped adds why pods are skipped.
func (v *pageView) addSkipped(m *webpage.Markup) {
	const most = 100
	reasons := skipped(v.Audit.Rows)
	if len(reasons) == 0 {
		return
	}
	m.Add("<section aria-labelledby=\"skipped\">\n<h2 id=\"skipped\">Skipped pods</h2>\n<ul class=\"said\">\n")
	for _, r := range reasons[:min(len(reasons), most)] {
		m.Add("<li class=\"skipped\"><b>{}</b> <code>{}</code>", strconv.Itoa(r.count), visible(string(r.code)))
		if r.like != "" {
			m.Add(" for example: {}", visible(r.like))
		}
		m.Add("</li>\n")
	}
	m.Add("</ul>\n</section>\n")
}

// add adds a row. The first state is the worst.
func (l *pageLine) add(m *webpage.Markup) {
	name := visible(l.Owner.Name)
	if name == "" {
		name = "(no name)"
	}
	m.Add(`<tr><th scope="row">{}<td>{}<td>{}<td>{}<td class="{}">{}<td>{}<td>{}</td>`+"\n", name, l.namespace(),
		visible(l.Owner.Kind), visible(l.Injector), string(l.state), l.states(), visible(l.inDetail()), l.share())
}

func (l pageLine) namespace() string { return visible(namespaceName(l.Owner.Namespace)) }

// states returns the states of the pods with their numbers, worst first.
func (l *pageLine) states() string {
	if counts := Counts(l.Counts); counts.notSkipped() != counts[l.state] {
		text := ""
		for _, state := range audit.States {
			if counts[state] > 0 && state != audit.Skipped && state != audit.Current {
				text += fmt.Sprintf(", %d %s", counts[state], state)
			}
		}
		return text[2:]
	}
	return string(l.state)
}

// inDetail returns why the pods are in their state, with the whole explanation of the cause.
func (l *pageLine) inDetail() string {
	if l.Explanation == "" || !isExplained(l.state) {
		return l.reason
	}
	return strings.TrimSuffix(table.Cut(l.Explanation, longest)+"; "+mostFrequent(l.rows), "; ")
}

// share returns how many of the pods that should have what is declared have it.
func (l *pageLine) share() string {
	counts := Counts(l.Counts)
	return fmt.Sprintf("%d/%d", counts[audit.Current], counts.selected())
}

// visible returns a text of a stranger as the page shows it. Texts that this package builds have parts that are cut already.
func visible(text string) string { return escape.Visible(table.Cut(text, 3*longest)) }

// namespaceName returns a namespace as the page names it. No namespace has brackets in its name.
func namespaceName(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}
