package lex

import "testing"

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
