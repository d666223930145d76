package webpage

import "strconv"

// Bar is a namespace with a bar of what happens in it.
type Bar struct {
	Name  string
	Words string // 9 injected, 1 skipped
	Parts []Part
}

// Part is the part of a bar with one class, in thousandths of the longest bar.
type Part struct {
	Class    string
	X, Width int
}

// barLength is the length of the longest bar.
const barLength = 1000

// NewParts returns the parts of a bar for counts, of which the classes are in order. The longest bar has the most.
func NewParts(classes []string, counts []int, most int) []Part {
	var parts []Part
	before := 0
	for i, count := range counts {
		if count > 0 {
			start, end := before*barLength/most, (before+count)*barLength/most
			parts = append(parts, Part{classes[i], start, end - start})
			before += count
		}
	}
	return parts
}

// AddBars adds the section with a bar for each namespace. Those after the first eight are folded.
func AddBars(m *Markup, bars []Bar) {
	const unfolded = 8
	if len(bars) == 0 {
		return
	}
	m.Add("<section aria-labelledby=\"namespaces\">\n<h2 id=\"namespaces\">Namespaces</h2>\n<ul class=\"bars\">\n")
	for i, bar := range bars {
		if i == unfolded {
			m.Add(`</ul><details class="more"><summary>All {} namespaces</summary><ul class="bars">`, strconv.Itoa(len(bars)))
		}
		bar.add(m)
	}
	m.Add("\n</ul>")
	if len(bars) > unfolded {
		m.Add("</details>")
	}
	m.Add("\n</section>")
}

func (b Bar) add(m *Markup) {
	m.Add(`<li><span class="name">{}</span><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">`, b.Name)
	for _, part := range b.Parts {
		m.Add(`<rect class="{}" x="{}" width="{}" height="10"/>`, part.Class, strconv.Itoa(part.X), strconv.Itoa(part.Width))
	}
	m.Add("</svg><span class=\"words\">{}</span></li>\n", b.Words)
}
