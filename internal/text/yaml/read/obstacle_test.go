package read_test

import (
	"fmt"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestWhatCannotBeFollowedIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: [x: y]\n":                  "2:6 a key and a value in [ ] without { } around them",
		"a: 1\nb:\n- [x, 'y': z]\n":          "3:10 a key and a value in [ ] without { } around them",
		"a: 1\nb: [c,\n  x\n  y]\n":          "4:3 text of several lines without quotes in brackets",
		"a: 1\nb: {x: y\n  z}\n":             "3:3 text of several lines without quotes in brackets",
		"a: 1\nb:\n  &x c: 1\n":              "3:3 an anchor or a tag before a key",
		"a: 1\n!!str b: 1\n":                 "2:1 an anchor or a tag before a key",
		"a: 1\nb: [? x]\n":                   "2:5 a question mark or a colon in the place of a value, without quotes",
		"a: 1\nb: [?x]\n":                    "2:5 a question mark or a colon in the place of a value, without quotes",
		"a: 1\u2028b: 2\n":                   "1:5 an invisible line break",
		"a: 1\nb: &x\n  &y c: 1\n":           "3:3 an anchor or a tag before a key",
		"a: 1\nb:\n - 1\n - [!sh, -c]\n":     "4:4 a tag without a space behind it",
		"a: 1\nb: {&x c: 1, d: [!sh, -c]}\n": "2:17 a tag without a space behind it",
	} {
		document, err := read.Document([]byte(text))
		if err != nil || !document.Content[0].IsApproximate {
			t.Errorf("%q can be followed: %v", text, err)
			continue
		}
		obstacle := read.Obstacle([]byte(text))
		line, column := read.Position([]byte(text), obstacle.At)
		if got := fmt.Sprintf("%d:%d %s", line, column, obstacle.Message); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
