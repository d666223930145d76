package webpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"

	"pillion.dev/pillion/internal/escape"
)

// These are the style and the script that all pages share. The script lets people open rows of the table, filter them and choose an order.
var (
	//go:embed style.css
	sharedStyle Constant
	//go:embed table.js
	sharedScript Constant
)

// Head is what a page begins with.
type Head struct {
	Title         string
	Injectors     []string
	Style, Script Constant // the page's own; they follow those that all pages share
	Content       string   // what the page is mostly about, in lower case; a section with this id must be on the page
}

// Add adds the start of a page up to the end of its header. The policy allows only the page's own style and script, and no connections.
func (h Head) Add(m *Markup) {
	title := escape.Visible(h.Title)
	m.Add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{} – Pillion</title>
<style>`, h.Policy(), title)
	m.Add(h.style())
	m.Add(`</style>
</head>
<body>
<a class="skip" href="#{}">Skip to the {}</a>
<header>
<p class="brand">
<svg viewBox="0 0 28 18" width="28" height="18" aria-hidden="true">`+
		`<circle cx="9" cy="9" r="7.5"/><circle cx="20" cy="10.5" r="5.5"/></svg>
Pillion
</p>
<h1>{}</h1>
`, h.Content, h.Content, title)
	if len(h.Injectors) > 0 {
		m.Add(`<p class="injectors">{}`, "Injector"+Plural(len(h.Injectors)))
		for _, name := range h.Injectors {
			m.Add(" <code>{}</code>", escape.Visible(name))
		}
		m.Add("</p>")
	}
	m.Add("\n</header>\n")
}

// Policy returns the content security policy of the page.
func (h Head) Policy() string {
	return "default-src 'none'; style-src " + hashOf(h.style()) + "; script-src " + hashOf(h.script()) +
		"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
}

func (h Head) style() Constant { return sharedStyle + h.Style }

func (h Head) script() Constant { return sharedScript + h.Script }

func hashOf(inline Constant) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// AddScript adds the data of a page, as a JSON string of base64, and the script that reads it.
func (h Head) AddScript(m *Markup, data []byte) {
	m.Add(`<script type="application/json" id="data">"`)
	m.AddBase64(data)
	m.Add("\"</script>\n<script>")
	m.Add(h.script())
	m.Add("</script>\n")
}

// Plural returns the ending of a noun that is counted.
func Plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
