package read

import (
	"encoding/json"
	"testing"
)

// oddTexts are directives, repeated keys and escapes that few manifests have.
var oddTexts = []string{
	"%YAML 1.1\n%TAG !e! tag:example.com,2000:\n---\na: !e!b c\n",
	"%FOO bar\n---\na: b\n",
	"a: b\na: c\n? a\n: d\n",
	"{a: 1, \"a\": 2, 'a': 3}",
	`a: "\x41\u0041\U00000041\e\N\_\L\P\0\a\v\/"`,
	`a: "\ud83d\ude00"`,
	"a: \"b\\\n  c\\ \\\t\"\n",
	"a: &a [*a]\nb: {<<: [*a, *a]}\n",
}

// FuzzDocument looks for a text that the fast reader accepts and the library refuses, or
// reads in another way, and for JSON that is not read as JSON is.
func FuzzDocument(f *testing.F) {
	for _, text := range manifests(f) {
		f.Add(text)
	}
	for _, s := range append(snippets, valueSnippets...) {
		f.Add([]byte(s.text))
		f.Add([]byte(crlf(s.text)))
	}
	for _, text := range append(jsonTexts, oddTexts...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkSure(t, text)
		checkJSON(t, text)
		if !json.Valid(text) {
			checkDocument(t, text)
		}
	})
}
