package page

import (
	"html/template"
	"strings"
	"testing"
)

func TestValuesAreEscapedAsInTemplates(t *testing.T) {
	page := template.Must(template.New("").Parse(`<p title="{{.}}">{{.}}</p><title>{{.}}</title>`))
	for _, value := range []string{
		"", "web", `<script>alert("1")</script>`, `" onclick='x' +&amp;&#39;`, "a\tb–{}", "{}", "`=/",
	} {
		var want strings.Builder
		if err := page.Execute(&want, value); err != nil {
			t.Fatal(err)
		}
		var got markup
		got.add(`<p title="{}">{}</p><title>{}</title>`, value, value, value)
		if got.String() != want.String() {
			t.Errorf("got  %s\nwant %s", got.String(), want.String())
		}
	}
}

func TestALongListSaysHowManyLinesItLeavesOut(t *testing.T) {
	var m markup
	m.addLines("said", make([]Line, 130))
	if got := m.String(); strings.Count(got, "<li") != 101 || !strings.Contains(got, "... and 30 more") {
		t.Errorf("got %d entries: %s", strings.Count(got, "<li"), got[max(0, len(got)-200):])
	}
}
