package parse

import "testing"

// FuzzDocument looks for a text that the fast reader accepts and the library refuses, or
// reads in another way.
func FuzzDocument(f *testing.F) {
	for _, text := range manifests(f) {
		f.Add(text)
	}
	for _, s := range append(snippets, valueSnippets...) {
		f.Add([]byte(s.text))
		f.Add([]byte(crlf(s.text)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkFast(t, text)
	})
}
