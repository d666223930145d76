package read

import (
	"fmt"
	"strings"
	"testing"
)

// valueSnippets are texts for quotes, brackets, block scalars and other alphabets.
var valueSnippets = []struct {
	name string
	text string
	want bool
}{
	// Quotes.
	{"quotes", "a: 'b'\nc: \"d\"\n'e': f\n\"g\": h\n", accept},
	{"empty quotes", "a: ''\nb: \"\"\n'': c\n", accept},
	{"quotes in quotes", "a: 'it''s'\nb: \"say \\\"x\\\"\"\nc: ''''\nd: 'a: b # c'\n", accept},
	{"escapes", `a: "\0\a\b\t\n\v\f\r\e\ \"\'\\\N\_\L\P\x41\u00e9\U0001F600"` + "\n", accept},
	{"an escaped tab", "a: \"\\\tb\"\n", accept},
	{"an escaped slash", `a: "\/"` + "\n", decline},
	{"an unknown escape", `a: "\q"` + "\n", decline},
	{"half an escape", `a: "\u12"` + "\n", decline},
	{"a surrogate", `a: "\ud83d\ude00"` + "\n", decline},
	{"a number that is not a character", `a: "\Uffffffff"` + "\n", decline},
	{"an escaped line break", "a: \"b\\\n  c\"\n", accept},
	{"quotes over lines", "a: \"b\n  c\"\nd: 'e\n  f'\n", accept},
	{"quotes that do not end", "a: \"b\n", decline},
	{"a comment behind quotes", "a: \"b\" # c\nd: 'e'   # f\n", accept},
	{"a hash right behind quotes", "a: \"b\"#c\n", decline},
	{"a key in quotes with blanks behind it", "\"a\" : b\n'c'   : d\n", accept},
	{"a key in quotes without a blank behind the colon", "\"a\":b\n", decline},
	{"quotes below a key", "a:\n  \"b\"\nc:\n  'd'\n", accept},
	{"quotes behind dashes", "- \"a\": b\n- 'c'\n- - \"d\"\n", accept},
	{"blanks in quotes", "a: \"  b\tc  \"\nd: '  e  '\n", accept},
	{"a long key", strings.Repeat("a", 900) + ": b\n", accept},
	{"a key that is too long", strings.Repeat("a", 1025) + ": b\n", decline},
	{"a quoted key that is too long", "b: c\n\"" + strings.Repeat("a", 1025) + "\": b\n", decline},
	{"a long value", "- " + strings.Repeat("a", 3000) + "\n- \"" + strings.Repeat("b", 3000) + "\"\n", accept},

	// Brackets.
	{"a list in brackets", "a: [b, c, 1, true]\n", accept},
	{"a tight list", "a: [b,c]\n", accept},
	{"a mapping in braces", "a: {b: c, d: e}\n", accept},
	{"nothing in brackets", "a: []\nb: {}\nc: [ ]\nd: {  }\n", accept},
	{"brackets in brackets", "a: [{b: [c, {d: e}]}, [f]]\n", accept},
	{"a comma at the end", "a: [b, ]\nc: {d: e, }\n", accept},
	{"two commas", "a: [b,,c]\n", decline},
	{"a key without a value", "{a: b, c}\n", decline},
	{"a value of nothing in braces", "{a: , b: }\n", decline},
	{"a pair in brackets", "[a: b]\n", decline},
	{"a tight pair", "{a:b}\n", decline},
	{"a tight pair in quotes", "{\"a\":b, 'c':1, \"d\":{\"e\":[1,2]}}\n", accept},
	{"a colon before a comma", "[a:, b]\n", accept},
	{"a question mark in brackets", "[a?b]\n", decline},
	{"a URL in brackets", "[http://a:80/b#c, d]\n", accept},
	{"brackets over lines", "a: [\n  b,\n  c\n]\nd: {\n e: f\n}\n", accept},
	{"brackets over lines with comments", "a: [ # x\n  b, # y\n  # z\n  c # w\n  # v\n]\nd: e\n", accept},
	{"a hash in brackets without a blank", "a: [#x\n b]\n", decline},
	{"a scalar over lines in brackets", "[a\n b]\n", decline},
	{"a scalar over lines with a blank before the line break in brackets", "[a \n b]\n", decline},
	{"a key over lines in braces", "{a\n : b}\n", decline},
	{"a value below its key in braces", "{a:\n  b,\n \"c\":\n  d}\n", accept},
	{"brackets below a key", "a:\n  [b, c]\nd:\n  {e: f}\n", accept},
	{"brackets at the column of the key", "a:\n[b]\n", decline},
	{"brackets that go on at the start of the line", "a: [\nb,\nc]\nd: e\n", accept},
	{"dashes in brackets", "[-a, -1, --b]\n", accept},
	{"a dash alone in brackets", "[-]\n", decline},
	{"a dash and a blank in brackets", "[- a]\n", decline},
	{"a dash at the start of a line in brackets", "[a,\n-b]\n", decline},
	{"a document end in brackets", "[a,\n...\n]\n", decline},
	{"a percent sign in brackets", "[a,\n%b]\n", decline},
	{"an alias in brackets", "[&a b, *a]\n", decline},
	{"a block scalar in brackets", "[|\n a]\n", decline},
	{"text behind brackets", "a: [b] c\n", decline},
	{"brackets that do not end", "a: [b\n", decline},
	{"brackets that do not match", "a: [b}\n", decline},
	{"JSON", "{\n  \"a\": {\"b\": [1, 2.5, true, null, \"c\"]},\n  \"d\": {}\n}\n", accept},
	{"JSON with tabs", "{\n\t\"a\": 1,\n\t\"b\": [\n\t\ttrue\n\t]\n}\n", accept},
	{"tabs in brackets below a key", "a: [b,\n\tc\n\t]\n", decline},
	{"quotes next to each other", "[\"a\" \"b\"]\n", decline},
	{"brackets behind dashes", "- [a, b]\n- {c: d}\n- - [e]\n", accept},
	{"keys that are numbers in braces", "{1: a, 2.5: b, true: c, null: d}\n", accept},
	{"deep brackets", strings.Repeat("[", 90) + strings.Repeat("]", 90) + "\n", accept},
	{"too deep brackets", strings.Repeat("[", 9500) + strings.Repeat("]", 9500) + "\n", decline},
	{"too deep lists", strings.Repeat("- ", 9500) + "a\n", decline},

	// Other alphabets.
	{"other alphabets", "é: ü\n日本: 語 # 言\n- x\n", decline},
	{"other alphabets in keys and values", "é: ü\n日本: 語 # 言\nx: 😀\n", accept},
	{"other alphabets before brackets", "é: [ü, {日: 語}, \"😀\", a]\n", accept},
	{"other alphabets in quotes", "\"é\": \"ü\"\n'日': '語'\nx: {\"😀\": \"é\", y: z}\n", accept},
	{"other alphabets before nothing", "é:\nü:\n- 日:\n  語:\n", accept},
	{"other alphabets over lines", "a: [é,\n ü, b,\n 日]\nc: {é: \n ü, d: e}\n", accept},
	{"other blanks", "a: b\u00a0c\nd: \u3000e\n", accept},
	{"other alphabets in block scalars", "é: |\n  ü 日\nü: >-\n  é\n  x\n", accept},
}

func indented(text, by string) string {
	return strings.ReplaceAll(text, "\n", "\n"+by)
}

// Every way of beginning a block scalar is held against every shape of text in it, and
// everything that may follow.
func TestBlockScalarsAreReadAsTheLibraryReadsThem(t *testing.T) {
	texts := []string{
		"", "  b\n", "  b", "  b\n  c\n", "  b\n\n  c\n", "  b\n\n\n  c\n\n\n", "\n  b\n", "\n\n  b\n    c\n  d\n",
		"    b\n  c\n", "   \n  b\n", " \n  b\n  \n   \n", "  b\n    c\n    d\n  e\n", "  b\n\n    c\n\n  d\n", "  b   \n  c \n",
		"  # b\n  c\n", "  b\n # c\n", "  b\n# c\n", "  b\n\n  # c\n\n# d\n", "  \tb\n", " \tb\n", "\tb\n", "  b\n \tc\n", "  b\n\t\n",
		"  - b\n  c: d\n", "  b\n   \n", "  b\n  ", "  b\n ", "\n", "\n\n", "   \n", "  é\n  日\n", "b\n", " b\n", "  b\n ---\n", "  ---\n",
		"         b\n         c\n", "  b\n\n\n",
	}
	accepted := 0
	for _, indicator := range []string{"|", ">"} {
		for _, header := range []string{
			"", "-", "+", "1", "2", "4", "2-", "-2", "+2", "2+", "0", "--", "22", " # x", "#x", "  ", "\t",
			" x", "+ # y",
		} {
			for _, text := range texts {
				for _, after := range []string{"", "z: 1\n", "# x\nz: 1\n", "  z: 1\n", "- z\n", "---\n"} {
					for _, form := range []string{
						"a: %s%s\n%s%s", "- %s%s\n%s%s", "%s%s\n%s%s", "x:\n- a: %s%s\n%s%s", "- - %s%s\n%s%s",
						"a:\n %s%s\n%s%s",
					} {
						whole := fmt.Sprintf(form, indicator, header, text, after)
						if checkSure(t, []byte(whole)) {
							accepted++
						}
						checkSure(t, []byte(crlf(whole)))
					}
				}
			}
		}
	}
	t.Logf("%d accepted", accepted)
	if accepted < 2000 {
		t.Errorf("only %d accepted", accepted)
	}
}

// The same texts deeper down, where the indentation of the scalar is not that of its line.
func TestBlockScalarsBelowOthers(t *testing.T) {
	for _, text := range []string{
		"a:\n  b: |\n    c\n     d\n  e: f\n", "a:\n  - |\n    c\n  - >-\n    d\n    e\n", "a:\n- |2\n    c\n- b: |1\n    c\n",
		"a:\n  b: |\n   c\n    # d\n   # e\n # f\n  g: h\n", "a:\n  b: |\n\n\n  c: d\n", "a:\n  b: |+\n\n\n  c: d\n", "a:\n  b: |-",
		"a:\n  - b: >\n      c\n\n      d\n    e: f\n", "- a: |\n    b\n  c: d\n", "- |\n b\n- c\n",
	} {
		if !checkSure(t, []byte(text)) {
			t.Errorf("declined %q", text)
		}
		checkSure(t, []byte(crlf(text)))
	}
}
