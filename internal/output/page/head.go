package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
)

var (
	//go:embed page.css
	style constant
	//go:embed parts.js
	parts constant
	//go:embed page.js
	script constant
)

// addHead adds the start of a page up to the end of its header. The policy allows only the page's own style and script,
// and no connections.
func (m *markup) addHead(p *Page) {
	m.add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{} – Pillion</title>
<style>`, policy(), p.Title)
	m.add(style)
	m.add(`</style>
</head>
<body class="{}">
<a class="skip" href="#rows">Skip to the {}s</a>
<header>
<p class="brand">
<svg viewBox="0 0 28 18" width="28" height="18" aria-hidden="true">`+
		`<circle cx="9" cy="9" r="7.5"/><circle cx="20" cy="10.5" r="5.5"/></svg>
Pillion
</p>
<h1>{}</h1>
`, p.Noun, p.Noun, p.Title)
	const most = 50
	if len(p.Injectors) > 0 {
		_, noun, _ := strings.Cut(spelling.Plural(len(p.Injectors), "Injector"), " ")
		m.add(`<p class="injectors">{}`, noun)
		for _, name := range p.Injectors[:min(len(p.Injectors), most)] {
			m.add(" <code>{}</code>", name)
		}
		if more := len(p.Injectors) - most; more > 0 {
			m.add(" and {} more", fmt.Sprint(more))
		}
		m.add("</p>\n")
	}
	m.add("</header>\n")
}

// policy returns the content security policy of a page.
func policy() string {
	return "default-src 'none'; style-src " + hashOf(style) + "; script-src " + hashOf(parts+script) +
		"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
}

func hashOf(inline constant) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// addScript adds the data of a page, as a JSON string of base64, which needs no escapes in a script, and the script
// that reads it.
func (m *markup) addScript(data []byte) {
	m.add(`<script type="application/json" id="data">"`)
	m.WriteString(base64.StdEncoding.EncodeToString(data))
	m.add("\"</script>\n<script>")
	m.add(parts + script)
	m.add("</script>\n</body>\n</html>\n")
}
