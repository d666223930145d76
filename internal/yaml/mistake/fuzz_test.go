package mistake_test

import (
	"testing"

	"pillion.dev/pillion/internal/yaml/mistake"
	"pillion.dev/pillion/internal/yaml/parse"
)

// FuzzScan checks that the scanner finds no mistake in YAML, and that every mistake has a position in the text.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		"a:\n- b", "- \n|", "a: b\r", "a: b\u2028c: d\n",
		"a:\n- b: 1\n  c: |\n    x\n   \n  d: [1,\n2]\n", "a: 'x\n  y'\nb: \"x\\\n  y\"\n", "a: x\n  y\n\n  z # c\nb: &c {d: e}\nf: *c\n",
		"- - a\n  - b\n-\n  c: d\n", "a: !!str\n  b\nc: &d\n  e: f\n", "a: {b: c, d: [e, 'f', \"g\"], h}\n", "? a\n: b\n", "--- a\n...\n",
		"a: -1\nb: :c\nd: ?e\n", "{{ .a }}: b\n", "a: http://b\nc: 'd''e'\n", "a:\n\n  # b\n  c: d\n # e\nf: g\n", "a: [b: c, {d: e}]\n",
		"a: x\n\t\nb: 1\n", "a: \"\\/\"\n", "- a\n - b\n", "a:\n  - |\n   x\n  - >-\n\n   y\n", "a: *b : c\n", "a: [ a\n b, 'c' ]#d\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := parse.Document(text)
		if err == nil {
			if found := mistake.Scan(text); found != "" {
				t.Errorf("%q is YAML, and the scanner reports: %s", text, found)
			}
			return
		}
		if found := mistake.Find(text, err); found.Line < 1 || found.Column < 1 || found.Message == "" {
			t.Errorf("%q: %+v", text, found)
		}
	})
}
