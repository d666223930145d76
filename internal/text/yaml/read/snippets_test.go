package read

import "testing"

// accept and decline say what the fast reader does with a snippet.
const (
	accept  = true
	decline = false
)

// snippets are small texts for each way of writing. All are held against the library; the
// verdict is what keeps the reader fast, and careful, in the way that it was meant to be.
var snippets = []struct {
	name string
	text string
	want bool
}{
	// Plain scalars.
	{"a colon inside a word", "a: b:c\n", accept},
	{"a colon and a blank in a value", "a: b: c\n", decline},
	{"a colon at the end of a value", "a: b:\n", decline},
	{"a colon at the end of a word in a value", "a: b:c:d\nimage: reg:5000/x:1@sha256:ab\n", accept},
	{"a hash behind a blank", "a: b #c\nd: e # f\n", accept},
	{"a hash inside a word", "a: b#c\n", accept},
	{"a hash right behind the colon", "a: #b\n", accept},
	{"a hash without any blank", "a:#b\n", accept},
	{"a key with blanks in it", "a b  c: d\n", accept},
	{"a key with blanks behind it", "key : value\n", accept},
	{"no blank behind the colon", "key:value\n", accept},
	{"no blank behind the colon of a second key", "a: b\nkey:value\n", decline},
	{"words with blanks", "a: b   c d   \ne: f\n", accept},
	{"a plain scalar alone", "abc\n", accept},
	{"a plain scalar alone without a line end", "abc", accept},
	{"a plain scalar alone over lines", "abc\ndef\n", accept},
	{"a plain scalar over lines", "a: b\n  c\nd: e\n", accept},
	{"a plain scalar over lines with a comment between", "a: b\n  # x\n  c\nd: e\n", decline},
	{"a plain scalar over lines behind a dash", "- a\n b\n", accept},
	{"a plain scalar below its key", "a:\n  b\nc: d\n", accept},
	{"a plain scalar over lines below its key", "a:\n  b\n  c\nc: d\n", accept},
	{"a comment where the scalar could go on", "a: b\n  # c\nd: e\n", accept},
	{"a tab in a value", "a: b\tc\n", decline},
	{"a tab behind a value", "a: b\t\n", decline},
	{"a tab behind a colon", "a:\tb\n", decline},
	{"a tab before a key", "a:\n\tb: c\n", decline},
	{"a tab on an empty line", "a: b\n\t\nc: d\n", decline},
	{"a tab in a comment", "a: b # x\ty\n#\tz\n", accept},
	{"indicators inside of words", "a: b-c?d!e&f*g|h>i'j\"k%l@m`n,o[p]q{r}s\n", accept},
	{"an exclamation mark", "a: !b c\n", decline},
	{"an anchor", "a: &b c\n", accept},
	{"an alias", "a: &b c\nd: *b\n", accept},
	{"a percent sign", "a: %b\n", decline},
	{"an at sign", "a: @b\n", decline},
	{"a backtick", "a: `b\n", decline},
	{"a comma", "a: ,b\n", decline},
	{"a question mark", "a: ?b\n", decline},
	{"a key behind a question mark", "? a\n: b\n", decline},
	{"a colon that begins a value", "a: :b\n", decline},
	{"other signs that begin values", "a: =b\nc: <d\ne: (f)\ng: /h\ni: \\j\nk: $(l)\nm: ^n\no: ;p\nq: _r\n", accept},
	{"a merge key", "<<: {a: b}\nc: d\n", accept},
	{"almost a merge key", "<<a: b\nc: <<d\n", accept},

	// Sequences.
	{"a list below its key", "a:\n- b\n- c\nd: e\n", accept},
	{"a list deeper than its key", "a:\n  - b\n  - c\nd: e\n", accept},
	{"an indented list alone", "  - a: b\n    c: d\n", accept},
	{"lists in lists", "- - a\n  - b\n- - c\n", accept},
	{"lists in lists in lists", "- - - a\n    - b\n  - c\n- d\n", accept},
	{"a dash that belongs to a word", "- -a\n- -1\n- --b\n- -\n- ---\n", accept},
	{"dashes at the start", "---a: b\n", accept},
	{"a wide gap behind the dash", "-    a: b\n     c: d\n-  e\n", accept},
	{"a dash on its own line", "-\n  a: b\n-\n  - c\n-\n  d\n", accept},
	{"a comment behind a dash", "- # x\n  a: b\n- # y\n  - c\n", accept},
	{"entries of nothing", "-\n-\n- a\n-\n", accept},
	{"entries of nothing below a key", "a:\n-\n-\nb:\n", accept},
	{"a key behind a list of the same column", "- a\nb: c\n", decline},
	{"a scalar that goes on with a dash", "a:\n- b\n  - c\n", accept},
	{"an entry deeper than the first", "a:\n- \"b\"\n  - c\n", decline},
	{"an entry less deep than the first", "a:\n    - b\n  - c\n", decline},
	{"a list behind a colon", "a: - b\n", decline},
	{"a list between keys", "a:\n- b: c\n  d:\n  - e\n  f: g\n- h\ni: j\n", accept},
	{"a list where a key should be", "a: b\n- c\n", decline},
	{"a key and a value where a list goes on", "a:\n- b\n- c: d\n  e: f\n", accept},

	// Mappings.
	{"values of nothing", "a:\nb:\n  c:\n  d:\ne:\n", accept},
	{"a value of nothing at the end", "a: b\nc:", accept},
	{"values of nothing with blanks", "a:   \nb: # c\n", accept},
	{"a comment between key and value", "a:\n  # x\n  b: c\n# y\nd:\n# z\n  e: f\n", accept},
	{"a key less deep than the first", "a:\n    b: c\n  d: e\n", decline},
	{"a key deeper than the first", "a: b\n  c: d\n", decline},
	{"an indented document", "  a: b\n  c: d\n", accept},
	{"an indented document that is less deep later", "  a: b\nc: d\n", decline},
	{"keys twice", "a: b\na: c\n", accept},
	{"keys that are not strings", "1: a\ntrue: b\nnull: c\n~: d\n1.5: e\n2001-01-01: f\n", accept},
	{"a key of nothing", ": a\n", decline},
	{"a key in brackets", "[a]: b\n", decline},
	{"a key in braces", "{a: b}: c\n", decline},
	{"odd indentation", "a:\n   b:\n    c:\n         d: e\n   f: g\n", accept},
	{"a text before the end of a value", "a: \"b\" c\n", decline},

	// Comments and empty lines.
	{"comments anywhere", "# a\n\n   # b\na: b\n      # c\n# d\nc:\n    # e\n  # f\n      # g\n  d: e\n # h\n  # i\nf: g\n  # j\n", accept},
	{"comments around entries", "# a\n- b\n# c\n  # d\n- e\n   # f\n\n# g\n- h: i\n  # j\n  k: l\n# m\n", accept},
	{"a comment alone", "# a\n", decline},
	{"nothing", "", decline},
	{"blanks alone", "  \n\n", decline},
	{"empty lines with blanks", "a: b\n   \n  \nc:\n \n  d: e\n", accept},
	{"a comment without a line end", "a: b\n# c", accept},

	// Documents.
	{"a line of dashes before", "---\na: b\n", accept},
	{"a line of dashes with a comment", "# x\n--- # y\n# z\na: b\n", accept},
	{"a line of dashes with text", "--- a\n", decline},
	{"a line of dashes with braces", "--- {a: b}\n", decline},
	{"a line of dashes behind", "a: b\n---\n", decline},
	{"a line of dots behind", "a: b\n...\n", decline},
	{"two documents", "a: b\n---\nc: d\n", decline},
	{"a directive", "%YAML 1.1\n---\na: b\n", decline},
	{"a byte order mark", "\ufeffa: b\n", accept},
	{"a line of dashes alone", "---\n", decline},
	{"a control character", "a: b\x01c\n", decline},
	{"text that is not UTF-8", "a: b\xff\n", decline},
	{"a lone carriage return", "a: b\rc: d\n", decline},
	{"a line end of other alphabets", "a: b\u2028c: d\n", decline},
	{"a next line character", "a: b\u0085c: d\n", decline},
}

func TestSnippetsAreReadAsTheLibraryReadsThem(t *testing.T) {
	for _, s := range append(snippets, valueSnippets...) {
		t.Run(s.name, func(t *testing.T) {
			if got := checkSure(t, []byte(s.text)); got != s.want {
				t.Errorf("%q: accepted is %v, want %v", s.text, got, s.want)
			}
			checkSure(t, []byte(crlf(s.text)))
			checkSure(t, []byte("x:\n  y:\n  - z\n  -  "+indented(s.text, "     ")))
			checkSure(t, []byte("x:\n    "+indented(s.text, "    ")+"\nz: 1\n"))
			checkDocument(t, []byte(s.text))
		})
	}
}
