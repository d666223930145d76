package escape_test

import (
	"testing"

	"pillion.dev/pillion/internal/text/escape"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"web":                   "web",
		"wäb \U0001f600 \ufffd": "wäb \U0001f600 \ufffd",
		"a\nb\x1b[31m":          `a\nb\x1b[31m`,
		"\u202eexe":             `\u202eexe`,
		"\xff\x9b31m":           `\xff\x9b31m`, // 0x9b begins a command on some terminals
		"\xc3\n":                `\xc3\n`,
		"a ##[error]x":          `a #\x23[error]x`,
		"###vso[x]ü\n":          `#\x23#vso[x]ü\n`,
		"::error::x":            `\x3a:error::x`,
		"  ::error::x":          `  \x3a:error::x`,
		"a::b #c":               "a::b #c",
	} {
		if got := escape.Line(text); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
}
