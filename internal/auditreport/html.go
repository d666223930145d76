package auditreport

import (
	"io"

	"pillion.dev/pillion/internal/webpage"
)

// HTML writes one page that needs no other file.
func HTML(w io.Writer, p Page) error {
	m := &webpage.Markup{}
	head := webpage.Head{Title: p.Title, Injectors: p.Injectors, Content: "owners"}
	head.Add(m)
	m.Add("<main>\n<section><h2 id=\"owners\">Owners</h2>\n<p>{}</p>\n<ul>", p.summary())
	for _, l := range lines(p.owners()) {
		m.Add("<li>{} {} {} {}</li>\n", l.Owner.Namespace, nameOf(l.Owner), string(l.state), l.reason)
	}
	m.Add("</ul>\n</section>\n</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, m.String())
	return err
}
