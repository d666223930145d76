package read

import (
	"strings"
	"testing"
)

func TestEndsOpenFindsAScalarThatALineEndWouldChange(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                     false,
		"a: b":                                 false,
		"a: |\n  b":                            true,
		"a: |\n  b\n":                          false,
		"a: |-\n  b":                           false,
		"a: >\n  b":                            true,
		"- |+\n  b":                            true,
		"- - a: &a |\r\n      b":               true,
		"a: |\n  b\n---\nc: d":                 false,
		"a: b\n---\nc: |\n  ---\n  d":          true,
		"a: |\n  b\n--- |\n c":                 true,
		"a: |\n  b\n...\nc: d":                 false,
		"a: b\n...\nc: |\n  d":                 true,
		"%YAML 1.1\n---\na: |\n  b":            true,
		"a: b\n---\n%YAML 1.1\n---\na: |\n  b": true,
		"a: &a [*a]":                           false,
		"a: |\n  b\n---":                       false,
	} {
		if got := EndsOpen([]byte(text)); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

func TestLastDocumentIsReadWithinBounds(t *testing.T) {
	text := "a: b\n...\n" + strings.Repeat("%TAG !t! tag:x,2000:\n", 40) + "--- |\n  c"
	if !EndsOpen([]byte(text)) {
		t.Error("only the text behind the last marker matters")
	}
}
