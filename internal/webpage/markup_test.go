package webpage_test

import (
	"html/template"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/webpage"
)

func TestValuesAreEscapedAsInTemplates(t *testing.T) {
	page := template.Must(template.New("").Parse(`<p title="{{.}}">{{.}}</p><title>{{.}}</title>`))
	for _, value := range []string{
		"", "web", `<script>alert("1")</script>`, `" onclick='x' +&amp;&#39;`, "a\tb\n–{}", "{}", "\u2028`=/", "\x00",
	} {
		var want strings.Builder
		if err := page.Execute(&want, value); err != nil {
			t.Fatal(err)
		}
		var got webpage.Markup
		got.Add(`<p title="{}">{}</p><title>{}</title>`, value, value, value)
		if got.String() != want.String() {
			t.Errorf("got  %s\nwant %s", got.String(), want.String())
		}
	}
}
