// Package webpage writes what the HTML pages of all reports have in common: escaped markup, the head with its policy, bars, filters, and
// the data of the script.
package webpage

import (
	"encoding/base64"
	"strings"
)

// Markup is HTML that is being written. There is no html/template here, because a program that uses a template links every
// method of every type, which makes it 5 MB larger and slower to start.
type Markup struct{ text strings.Builder }

// Constant is HTML that is written in this program or embedded in it. The compiler converts literals to it, but no string of a
// manifest.
type Constant string

// Add writes HTML with a value in each {}. The values are escaped for text and for attributes in double quotes, so a {} must not
// be anywhere else. Without values, the HTML is written as it is.
func (m *Markup) Add(html Constant, values ...string) {
	rest := string(html)
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "{}")
		m.text.WriteString(before)
		m.text.WriteString(escaper.Replace(value))
		rest = after
	}
	m.text.WriteString(rest)
}

// AddBase64 writes data as base64, which needs no escapes, not even in a script.
func (m *Markup) AddBase64(data []byte) { m.text.WriteString(base64.StdEncoding.EncodeToString(data)) }

// String returns what was written.
func (m *Markup) String() string { return m.text.String() }

// escaper escapes what html/template does: what begins or ends markup, the plus sign, by which old browsers recognise UTF-7, and the
// byte 0, which browsers treat in different ways.
var escaper = strings.NewReplacer(
	`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `"`, "&#34;", `'`, "&#39;", `+`, "&#43;", "\x00", "\uFFFD",
)
