package report

import "strings"

// markup is HTML that is being written. There is no html/template here, because a program that links a template links every
// method of every type, which makes it 5 MB larger and slower to start.
type markup struct{ strings.Builder }

// constant is HTML that is written in this program. The compiler converts literals to it, but no string of a manifest.
type constant string

// add writes HTML with a value in each {}. The values are escaped for text and for attributes in double quotes, so a {} must not
// be anywhere else.
func (m *markup) add(html constant, values ...string) {
	rest := string(html)
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "{}")
		m.WriteString(before)
		m.WriteString(escaper.Replace(value))
		rest = after
	}
	m.WriteString(rest)
}

// escaper escapes what begins or ends markup, and the plus sign, by which old browsers recognise UTF-7.
var escaper = strings.NewReplacer(`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `"`, "&#34;", `'`, "&#39;", `+`, "&#43;")
