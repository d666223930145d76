package read_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/read"
)

// Mistakes with their positions, and a part of the message.
func TestMistakesAreExplainedWhereTheyAre(t *testing.T) {
	tests := []struct{ text, place, message string }{
		{"a: 1\nb:\n\tc: 1\n", "3:1", "a tab is used for indentation; YAML allows only spaces"},
		{"a:\n  b: x\n\tc: 1\n", "3:1", "a tab"},
		{"a:\n  b:\n  \tc: 1\n", "3:3", "a tab"},
		{"a:\n  b: x\n  \tc: 1\n", "3:3", "a tab"},
		{"a:\n- b\n\t- c\n", "3:1", "a tab"},
		{"# x\n\tb: 1\n", "2:1", "a tab"},
		{"a: |\n\tx\n", "2:1", "a tab"},
		{"spec:\n  a: 1\n  b: 2\n\n  # c\n  d:\n  - e: 1\n    f: 2\n\tg: 1\n", "9:1", "a tab"},

		{"image: nginx: 1.27\n", "1:13", `the value contains ": "`},
		{"a:\n  - image: nginx: 1.27\n", "2:17", `makes "nginx" another key; put the value in quotes, or remove the space`},
		{"a: ü: c\n", "1:5", "another key"},
		{"a:\n  image:nginx\n  b: 1\n", "2:8", "there is no space after the colon; write image: nginx"},
		{"a:\n  b: 1\n  image:nginx\n", "3:8", "write image: nginx"},
		{"a: 1\nb\nc: 2\n", "2:1", `"b" has no colon, so it is not a key; write "key: value"`},
		{"apiVersion v1\nkind: Pod\n", "1:1", `"apiVersion v1" has no colon`},
		{"apiVersion: v1\nkind; Pod\n", "2:1", `"kind; Pod" has no colon`},
		{"a:\n  b\n  c: 1\n", "2:3", `"b" has no colon`},

		{"a: 'x\nb: 1\n", "1:4", "the quote ' that begins here is not closed; add the closing quote"},
		{"a: \"x\nb: 1\n", "1:4", `the quote " that begins here is not closed`},
		{"a: \"x\nb: \"y\"\n", "1:4", "not closed"},
		{"a:\n  args: [\"-c\", \"x]\n  b: 1\n", "2:16", "not closed"},
		{"\"a: 1\n", "1:1", "not closed"},
		{"a:\n  include: [team-?]\n", "2:18", "a comma is missing before this; add one, close the bracket [, or put the value in quotes"},
		{"a:\n  include: [*]\n", "2:13", "a value cannot begin with '*' here"},
		{"a: [b, *.example.com]\n", "1:8", "put the value in quotes"},
		{"a: {b: c?d}\n", "1:9", "a comma is missing"},
		{"a: \"x\" y\nb: 1\n", "1:8", "text follows the closing quote or bracket; put all of the value in quotes"},
		{"a: \"x\": y\n", "1:7", "text follows the closing quote or bracket; put all of the value in quotes"},
		{"a: 'x': y\n", "1:7", "text follows the closing quote"},
		{"a: [x]: y\n", "1:7", "text follows the closing quote or bracket"},
		{"a: \"x\":y\n", "1:7", "text follows the closing quote"},
		{"b: 1\n\"app\":web\n", "2:6", `there is no space after the colon; write "app": web`},
		{"a:\n{b: 1\n}\n", "2:1", "the indentation of this line does not match"},
		{"a:\n[b,\nc]\n", "2:1", "the indentation of this line does not match"},
		{" a: 1\nb: 2\n", "2:1", "the indentation of this line does not match the lines above; indent it like the line that it belongs beside"},
		{"a: 'it's'\nb: 1\n", "1:8", "a quote inside of single quotes is written ''"},
		{`a: "\d+"` + "\n", "1:5", `\d is not an escape of YAML; write \\d, or use single quotes`},

		{"a: [x\nb: 1\n", "1:4", "the bracket [ that begins here is not closed; add ]"},
		{"a: {x: 1\nb: 1\n", "1:4", "the bracket { that begins here is not closed; add }"},
		{"a: [x}\nb: 1\n", "1:4", "the bracket [ that begins here is not closed; add ]"},
		{"a: [\n", "1:4", "not closed"},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: p", "3:11", "not closed"},
		{"a: 1\nb:\n  c: [1, 2\nd: [3]\n", "3:6", "not closed"},
		{"a: {b: 1 c: 2}\n", "1:11", "a comma is missing before this"},
		{`{"a": 1, "b": "x" "c": 2}` + "\n", "1:19", "a comma is missing"},
		{"a:\n  - cidr: {IPv6}/128\n", "2:17", "text follows the closing quote or bracket; put all of the value in quotes"},
		{"a: [x, y]]\n", "1:10", "text follows the closing quote or bracket"},
		{"a: ]\n", "1:4", "a value cannot begin with ']' here; remove it, or put the value in quotes"},
		{"b: 1\na: }\nd: 3\n", "2:4", "a value cannot begin with '}'"},
		{"a: ,\n", "1:4", "a value cannot begin with ','"},

		{"a:\n  b: 1\n   c: 2\n", "3:4", `a key cannot follow here, because this line continues the value "1" above it`},
		{"a: x\n  b: 1\n", "2:3", `because this line continues the value "x" above it`},
		{"a:\n- x\n  b: 1\n", "2:3", `"x" has no colon, so it is not a key`},
		{"a:\n- name:web\n  image: b\n", "2:7", "there is no space after the colon; write name: web"},
		{"a:\n    b: 1\n  c: 2\nd: 1\n", "3:3", "the indentation of this line does not match"},
		{"a:\n  - x\n - y\n", "3:2", "the indentation of this line"},
		{"- a: 1\n b: 2\n", "2:2", "the indentation of this line"},
		{"a: \"x\"\n  b: 1\n", "2:3", "the indentation of this line"},
		{"spec:\n  containers:\n  - name: x\n    image: y\n   ports: []\n", "5:4", "the indentation of this line"},
		{"a: |\n  x\n y\n", "3:2", "the indentation of this line"},
		{"a: b # c\n d\n", "2:2", "the indentation of this line"},
		{"a: 1\n- b\n", "2:1", "the indentation of this line"},
		{"- a\nb: 1\n", "2:1", "the indentation of this line"},
		{"a:\n  - x\n  y: 3\nd: 3\n", "3:3", "the indentation of this line"},
		{"a:\n - name: x\n -name: y\n", "3:2", `there is no space after the dash; write "- name: y"`},
		{"a:\n  - b\n  -c\n", "3:3", `there is no space after the dash; write "- c"`},
		{"-a\n-b\nc: 1\n", "1:1", `there is no space after the dash; write "- a"`},
		{"a:\n  -name: x\n    image: y\n", "2:3", `there is no space after the dash; write "- name: x"`},
		{"a: [- b]\n", "1:5", "a value cannot begin with '-' here"},
		{"a: {b: |\n c}\n", "1:8", "a value cannot begin with '|' here"},
		{"a: [b, }\n", "1:8", "a value cannot begin with '}' here"},
		{"a: && b\n", "1:4", "a value cannot begin with '&' here"},
		{`a: "C:\users"` + "\n", "1:7", `\u is not an escape of YAML; write \\u, or use single quotes`},
		{"a:\n>b\n", "2:1", ""},
		{"a: - b\n", "1:4", "a value cannot begin with '-' here"},

		{"a: @x\n", "1:4", "a value cannot begin with '@' here; remove it, or put the value in quotes"},
		{"a: `x`\n", "1:4", "a value cannot begin with '`'"},
		{"a: %x\n", "1:4", "a value cannot begin with '%'"},
		{"host: *.example.com\n", "1:7", "a value cannot begin with '*' here"},
		{"a: >x\n y\n", "1:4", "a value cannot begin with '>' here"},
		{"a: x\x01\n", "1:5", "the invisible character U+0001 is not allowed here; remove it"},
		{"a: \x7fb\n", "1:4", "the invisible character U+007F is not allowed"},
		{"a: \"b\" c\nd: 'e\x01'\n", "2:6", "the invisible character U+0001 is not allowed"}, // nobody sees it
		{"a: 1\nb: x\u2028y\n", "2:5", "the invisible character U+2028 is not allowed here; remove it"},
		{"# x\u0085y\na: 1\n", "1:4", "the invisible character U+0085"},
		{"{\"a\": \"x\u2028y\" \"b\": 1}", "1:13", "a comma is missing"}, // in quotes, it is allowed
		{"\ufeffa: b: c\n", "1:5", "another key"},
		{"a: 1\r\nb: c: d\r\n", "2:5", "another key"},

		{"a: 1\nb: {{ .Values.x }}/{{ .Values.y }}\n", "2:4", "{{ begins a template action, which is not YAML; render the template first"},
		{"{{- if .x }}\na: 1\n{{- end }}\n", "1:1", "{{ begins a template action"},
		{"a: [\"{{ x }}\"\nb: 1\n", "1:4", "the bracket [ that begins here is not closed"},

		{"a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> fix\n", "2:1", "this file has an unresolved merge conflict; resolve it"},
		{"a: [b\n<<<<<<< HEAD\n, c]\n=======\n]\n>>>>>>> fix\n", "2:1", "merge conflict"},
		{"a: |\n  x\r\n<<<<<<< HEAD\r\n  y\r\n=======\r\n>>>>>>> fix\r\n", "3:1", "merge conflict"},
		{"\tb: 1\na: 1\n<<<<<<< HEAD\n", "3:1", "merge conflict"}, // it ends in another document
		{"b: 1\n>>>>>>> fix\n", "2:1", "merge conflict"},          // it begins in another document
		{"a: 1\n<<<<<<< \"b\" c", "2:1", "merge conflict"},
		{"a: 'b'c\n # <<<<<<< x\n", "1:7", "text follows the closing quote"},

		{"a: !<x\n", "1:1", "did not find the expected '>'"}, // the library's own message
		{"%YAML 2.0\n---\na: 1\n", "1:1", "found incompatible YAML document"},
	}
	for _, test := range tests {
		_, err := read.Document([]byte(test.text))
		found, ok := errors.AsType[*read.Error](err)
		if !ok {
			t.Errorf("%q is YAML", test.text)
			continue
		}
		line, column := read.Position([]byte(test.text), found.At)
		if got := fmt.Sprintf("%d:%d", line, column); got != test.place || !strings.Contains(found.Message, test.message) {
			t.Errorf("%q\n got %s %s\nwant %s %s", test.text, got, found.Message, test.place, test.message)
		}
	}
}
