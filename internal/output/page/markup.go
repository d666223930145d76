package page

import (
	"strings"

	"pillion.dev/pillion/internal/text/escape"
)

// markup is HTML that is being written. There is no html/template here, because a program that uses a template links
// every method of every type, which makes it 5 MB larger and slower to start.
type markup struct{ strings.Builder }

// constant is HTML that is written in this program or embedded in it. The compiler converts literals to it, but no
// string of a manifest.
type constant string

// add writes HTML with a value in each {}. The values are escaped for text and for attributes in double quotes, so a {}
// must not be anywhere else. Without values, the HTML is written as it is.
func (m *markup) add(html constant, values ...string) {
	const longest = 1000 // a pod may have texts of any length
	rest := string(html)
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "{}")
		m.WriteString(before)
		m.WriteString(escaper.Replace(escape.Visible(escape.Clip(value, longest))))
		rest = after
	}
	m.WriteString(rest)
}

// escaper escapes what html/template does: what begins or ends markup, and the plus sign, by which old browsers
// recognise UTF-7. Two number signs begin a command in the log of a CI system.
var escaper = strings.NewReplacer(`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `"`, "&#34;", `'`, "&#39;", `+`, "&#43;",
	"##", "&#35;&#35;")
