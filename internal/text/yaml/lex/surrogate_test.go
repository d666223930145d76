package lex

import (
	"testing"
)

func TestHasLoneSurrogateFindsHalfOfAPair(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":"b"}`:              false,
		`{"a":"\ud83d\ude00"}`:   false,
		`{"a":"\uD83D\uDE00\n"}`: false,
		`{"a":"\\ud83d"}`:        false,
		`{"a":"\u00e9\"\/"}`:     false,
		`{"a":"\ud83d"}`:         true,
		`{"\ude00":1}`:           true,
		`{"a":"\ud83d\ud83d"}`:   true,
		`{"a":"\ud83d\n\ude00"}`: true,
		`{"a":"\ud83d\\\ude00"}`: true,
		`\`:                      false,
	} {
		if got := HasLoneSurrogate(text); got != want {
			t.Errorf("%s: got %t", text, got)
		}
	}
}
