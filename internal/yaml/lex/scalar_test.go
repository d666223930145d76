package lex

import "testing"

func TestBlockScalarsEndWhereTheirTextDoes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		indent     int
		rest       string
	}{
		{"clipped", "|\n  a\n\nb", 0, "\nb"},
		{"kept", "|+\n  a\n\nb", 0, "b"},
		{"with deeper lines", "|\n  a\n    c\n  d\nb", 0, "b"},
		{"with a comment on its line", "| # why\n  a\nb", 0, "b"},
		{"with its indentation given", "|2\n    a\n  c\nb", 0, "b"},
		{"without text", "|\nb", 0, "b"},
		{"with carriage returns", "|\r\n  a\r\nb", 0, "b"},
		{"at the end", "|-\n  a", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.text[BlockScalarEnd([]byte(c.text), 0, c.indent):]; got != c.rest {
				t.Errorf("got rest %q, want %q", got, c.rest)
			}
		})
	}
}

func TestQuotesEndWhereTheyEnd(t *testing.T) {
	for text, want := range map[string]int{
		`"" a`: 2, `"a"`: 3, `"\""`: 4, `"\\"`: 4, `"\\\""a"`: 6, `"a\"b\"c" "`: 9, `"`: -1, `"\"`: -1, `"\`: -1, `"a\\\"`: -1,
		`''`: 2, `'a'`: 3, `''''`: 4, `'it''s' '`: 7, `'`: -1, `'''`: -1, `'\'`: 3,
	} {
		if got := QuotedEnd([]byte(text), 0); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
