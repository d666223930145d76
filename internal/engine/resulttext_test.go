package engine

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/yaml/emit"
)

// TestResultsAreWrittenAsTheirNodes has findings that have often, but not always, the same fields as the finding before.
func TestResultsAreWrittenAsTheirNodes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	findings := make([]finding.Finding, 3000)
	for i := range findings {
		findings[i] = randomFinding(random)
	}
	for _, place := range []manifest.ResultsPlace{
		{LineBreak: "\n"}, {LineBreak: "\r\n", Column: 2}, {LineBreak: "\n", InBraces: true},
	} {
		var want []byte
		for i, f := range findings {
			want = appendAsNode(want, place, f, i == 0)
		}
		if got := bytes.Join(newResults(place, findings), nil); !bytes.Equal(got, want) {
			t.Errorf("%+v: got:\n%s\nwant:\n%s", place, got, want)
		}
	}
}

func appendAsNode(text []byte, place manifest.ResultsPlace, f finding.Finding, isFirst bool) []byte {
	style := newResultText(place, 0).style
	switch {
	case !place.InBraces:
		return append(style.Entry(emit.Spaces(text, place.Column), outcome.Result(f), place.Column), place.LineBreak...)
	case !isFirst:
		text = append(text, ", "...)
	}
	return style.FlowValue(text, outcome.Result(f), "")
}

func randomFinding(random *rand.Rand) finding.Finding {
	text := func() string {
		texts := []string{"", "", "web", "yes", "12", "a: b", "two\nlines", "two\nlines\n", " \"'", "{}", "spec: x", "\x00ü\u2028"}
		return texts[random.IntN(len(texts))]
	}
	f := finding.Finding{
		Severity: finding.Severity(random.IntN(3)), Code: finding.Code(text()), Message: text(), Detail: text(), Injector: text(),
	}
	if random.IntN(3) > 0 {
		f.Object = &finding.Object{APIVersion: text(), Kind: text(), Namespace: text(), Name: text()}
	}
	if random.IntN(3) > 0 {
		f.Field = &finding.Field{Path: text(), Current: text(), Proposed: text()}
	}
	if random.IntN(3) > 0 {
		f.File = &finding.File{Path: text(), Index: random.IntN(3)}
	}
	return f
}
