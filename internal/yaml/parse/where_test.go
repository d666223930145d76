package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/yaml/parse"
)

func TestWhereIsTheLineAtFault(t *testing.T) {
	tests := map[string]struct{ text, place string }{
		"a bracket that stays open":         {"apiVersion: v1\nkind: Pod\nmetadata: {name: p", "3:1"},
		"one that others follow":            {"a: 1\nmetadata: {name: p\nspec:\n  containers: []\n", "2:1"},
		"a list that stays open":            {"a: 1\nb:\n  c: [1, 2\nd: 3\n", "3:3"},
		"a key that is indented too little": {"a:\n  b: 1\n  d: 2\n  e: 5\n c: 2\nf: 1\n", "5:2"},
		"a key in a nested mapping":         {"x: 1\na:\n  y:\n    b: 1\n    d: 2\n   c: 2\nf: 1\n", "6:4"},
		"a key in an entry":                 {"a:\n- b: 1\n  d: 2\n e: 5\nf: 1\n", "4:2"},
		"a key that is indented too much":   {"a:\n  b: 1\n  e: 5\n     c: 2\nf: 1\n", "4:6"},
		"a key among entries":               {"a:\n  - x\n  y: 3\nd: 3\n", "3:3"},
		"no colon":                          {"a: 1\nb\nc: 2\n", "2:1"},
		"a tab":                             {"a:\n\tb: 1\n", "2:1"},
		"text behind a quoted one":          {"a: 'x' y\nb: 3\nd: 3\n", "1:1"},
		"a second colon":                    {"a: b: c\nf: 1\n", "1:1"},
		"a bracket that was never open":     {"b: 1\na: }\nd: 3\n", "2:1"},
	}
	for name, test := range tests {
		_, err := new(parse.Arena).Document([]byte(test.text))
		if err == nil {
			t.Errorf("%s: it is YAML", name)
			continue
		}
		line, column, problem := parse.Where([]byte(test.text), err)
		if got := fmt.Sprintf("%d:%d", line, column); got != test.place || strings.Contains(problem, "line") {
			t.Errorf("%s: %s at %s, want %s", name, problem, got, test.place)
		}
	}
}
