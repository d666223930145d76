package lex

import "testing"

// Each case has a text in which "^" marks the offset that a function is given, and "$" the one that it returns; both
// are taken out.
func TestEnds(t *testing.T) {
	plain := func(text []byte, at int) int { return PlainEnd(text, at, false) }
	flow := func(text []byte, at int) int { return PlainEnd(text, at, true) }
	for _, c := range []struct {
		name string
		end  func(text []byte, at int) int
		text string
	}{
		{"a line ends at a line feed", LineEnd, "a^b$\nc"},
		{"a line ends at a carriage return and a line feed", LineEnd, "^a\rb$\r\nc"},
		{"a line does not end at NEL, LS and PS", LineEnd, "^a\u0085b\u2028c\u2029d$\n"},
		{"a line ends with the text", LineEnd, "a\n^b$"},
		{"the next line is behind a line feed", NextLine, "^a\rb\n$c"},
		{"there is no next line", NextLine, "a\n^b$"},
		{"blanks are spaces and tabs", SkipBlanks[[]byte], "a^ \t $b"},
		{"blanks end at a line break", SkipBlanks[[]byte], "a^ $\n b"},
		{"space is blanks, line breaks and comments", SkipSpace, "a^ # b\n\t# c\r\n $d"},
		{"a comment may be last", SkipSpace, "a^ # b$"},
		{"a name has letters, digits, dashes and underscores", NameEnd[[]byte], "&^aZ-0_1$: b"},
		{"a plain scalar ends at a colon and a space", plain, "^a:b#c$: d"},
		{"a plain scalar ends at a colon and the end", plain, "^a$:"},
		{"a plain scalar ends at a comment", plain, "^a#b $# c"},
		{"a plain scalar ends at a tab and a comment", plain, "^a\t$# c"},
		{"a plain scalar ends on its line", plain, "^a, [b]$\n  c"},
		{"a plain scalar ends at a comma in brackets", flow, "^a:b$, c"},
		{"a plain scalar ends at a bracket", flow, "^a$]"},
		{"a plain scalar ends at a question mark in brackets", flow, "^a$?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var text []byte
			start, want := 0, 0
			for _, b := range []byte(c.text) {
				switch b {
				case '^':
					start = len(text)
				case '$':
					want = len(text)
				default:
					text = append(text, b)
				}
			}
			if got := c.end(text, start); got != want {
				t.Errorf("got %d, want %d", got, want)
			}
		})
	}
}

func TestMarkersStandAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"---": true, "...": true, "--- a": true, "---\n": true, "---\u2028": false, "---a": false, "--": false, "-.-": false, "": false,
	} {
		if got := IsMarkerAt(text, 0); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

func TestWordsEndAtIndicatorsInBrackets(t *testing.T) {
	if got := WordEnd("!a,b c", 0, false); got != 4 {
		t.Errorf("got %d", got)
	}
	if got := WordEnd("!a,b c", 0, true); got != 2 {
		t.Errorf("got %d", got)
	}
}

func TestBlockHeadersHaveEachIndicatorOnce(t *testing.T) {
	for text, want := range map[string]BlockHeader{
		"|": {End: 1}, "|-": {'-', 0, 2}, ">2+ # a": {'+', 2, 3}, "|+2": {'+', 2, 3}, "|--": {'-', 0, 2}, "|0": {End: 1},
		"|12": {Indent: 1, End: 2},
	} {
		if got := ReadBlockHeader(text, 0); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func TestLinesKnowTheirOffsets(t *testing.T) {
	text := "\ufeffä: 1\r\n  # b\n\u0085c\n"
	l := Lines{Text: []byte(text)}
	starts := []int{3, 10, 16, 20}
	for _, c := range []struct{ line, column, offset int }{{3, 1, 18}, {1, 1, 5}, {1, 0, 3}, {1, 0, 0}, {2, 2, 12}, {4, 0, 20}, {2, 0, 10}} {
		if got := l.Start(c.offset); got != starts[c.line-1] {
			t.Errorf("the line of %d begins at %d, want %d", c.offset, got, starts[c.line-1])
		}
		if next := starts[min(c.line, len(starts)-1)]; l.Next(c.offset) != next {
			t.Errorf("the line behind %d begins at %d, want %d", c.offset, l.Next(c.offset), next)
		}
		if got := l.Column(max(c.offset, 3)); got != c.column {
			t.Errorf("the column of %d is %d, want %d", c.offset, got, c.column)
		}
	}
	second := l.Next(3)
	if indent, isComment := l.Comment(second); indent != 2 || !isComment {
		t.Errorf("got %d and %t", indent, isComment)
	}
	if got := l.BehindComments(second, 1); got != starts[2] || l.BehindComments(second, 2) != second {
		t.Errorf("got the line at %d", got)
	}
}
