package emit

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestStringsAreQuotedWhereSomeParserWouldMisread(t *testing.T) {
	for value, want := range map[string]string{
		"":                    `""`,
		"web":                 "web",
		"y":                   `"y"`,
		"Yes":                 `"Yes"`,
		"on":                  `"on"`,
		"null":                `"null"`,
		"~":                   `"~"`,
		"12":                  `"12"`,
		"012":                 `"012"`,
		"0o755":               `"0o755"`,
		"0x1f":                `"0x1f"`,
		"1_000":               `"1_000"`,
		"1e3":                 `"1e3"`,
		"1.5":                 `"1.5"`,
		".5":                  `".5"`,
		".inf":                `".inf"`,
		"1:30":                `"1:30"`,
		"2001-01-01":          `"2001-01-01"`,
		"1.2.3":               "1.2.3",
		"500m":                "500m",
		" lead":               `" lead"`,
		"trail ":              `"trail "`,
		"a: b":                `"a: b"`,
		"a:":                  `"a:"`,
		"a #b":                `"a #b"`,
		"a#b":                 "a#b",
		"#a":                  `"#a"`,
		"--flag=x":            "--flag=x",
		"- a":                 `"- a"`,
		"---":                 `"---"`,
		"<<":                  `"<<"`,
		"=":                   `"="`,
		"{a}":                 `"{a}"`,
		"it's":                "it's",
		`say "x": y`:          `'say "x": y'`,
		"http://a.b/c?d=e":    "http://a.b/c?d=e",
		"🚀 go":                "🚀 go",
		"\x01":                `"\u0001"`,
		"nel\u0085ls\u2028":   `"nel\u0085ls\u2028"`,
		"*.example.com":       `"*.example.com"`,
		"@at":                 `"@at"`,
		"`tick`":              "\"`tick`\"",
		"%percent":            `"%percent"`,
		"registry/app:v1@sha": "registry/app:v1@sha",
	} {
		n := &node.Node{Kind: node.ScalarNode, Tag: node.StrTag, Value: value}
		got := string(Style{}.Scalar(nil, n, false))
		if got != want {
			t.Errorf("%q is written as %s, want %s", value, got, want)
		}
		var back string
		if err := yaml.Unmarshal([]byte(got), &back); err != nil || back != value {
			t.Errorf("%q reads back as %q (%v)", value, back, err)
		}
		flow := "[" + string(Style{}.Scalar(nil, n, true)) + "]"
		var list []string
		if err := yaml.Unmarshal([]byte(flow), &list); err != nil || len(list) != 1 || list[0] != value {
			t.Errorf("%q reads back as %q from %s (%v)", value, list, flow, err)
		}
	}
}

func TestScalarsKeepTheirStyleWhereItRoundTrips(t *testing.T) {
	style := Style{LineEnd: "\n", Indent: 2, DashWidth: 2}
	for _, c := range []struct{ name, text, want string }{
		{"double quotes", `k: "a"`, `k: "a"`},
		{"single quotes", `k: 'it''s'`, `k: 'it''s'`},
		{"a literal", "k: |\n  a\n   b\n\n  c\n", "k: |\n  a\n   b\n\n  c"},
		{"a literal without end", "k: |-\n  a\n", "k: |-\n  a"},
		{"a folded text, whose lines are joined already", "k: >\n  a\n  b\n", "k: |\n  a b"},
		{"many lines in quotes", `k: "a\nb"`, `k: "a\nb"`},
		{"many lines that cannot stand alone", "k: |2\n   a\n", `k: " a\n"`},
		{"numbers as they are written", "k: 0o755", "k: 0o755"},
		{"nothing", "k:", "k:"},
		{"a tilde", "k: ~", "k: ~"},
		{"a tag", "k: !!binary aGk=", `k: !!binary "aGk="`},
		{"brackets", "k: [a, {b: c}]", "k: [a, {b: c}]"},
		{"an empty mapping", "k: {}", "k: {}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var document node.Node
			if err := read.Into([]byte(c.text), &document); err != nil {
				t.Fatal(err)
			}
			m := document.Content[0]
			if got := string(style.Child(nil, m, 0, 0)); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
