package webpage

import (
	"maps"
	"slices"
)

// Filter is a column by which the rows of a page's table can be filtered, with its values.
type Filter struct {
	Name, Label string
	Values      []string
}

// Values returns the different values of rows, except the empty one, in order.
func Values[R any](rows []R, value func(R) string) []string {
	values := map[string]bool{}
	for _, r := range rows {
		values[value(r)] = true
	}
	delete(values, "")
	return slices.Sorted(maps.Keys(values))
}

// AddFilters adds the form of the filters, which the script shows. The content is what the rows are, and the search is what words are
// searched in.
func AddFilters(m *Markup, filters []Filter, content, search string) {
	m.Add(`<form class="filters" hidden role="search" aria-label="Filter the {}">
<label class="text"><span>Search</span>`+
		`<input type="search" name="text" placeholder="{}" autocomplete="off" spellcheck="false"></label>
`, content, search)
	for _, f := range filters {
		m.Add(`<label><span>{}</span><select name="{}"><option value="">all</option>`, f.Label, f.Name)
		for _, value := range f.Values {
			m.Add("<option>{}</option>", value)
		}
		m.Add("</select></label>\n")
	}
	m.Add(`
<p class="actions"><span id="count" role="status"></span><button type="button" id="open">Open all</button>` +
		`<button type="reset" id="reset" hidden>Clear filters</button></p>
</form>
`)
}
