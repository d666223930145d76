package files_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/files"
)

func TestTooLargeTextsAreNotTemplates(t *testing.T) {
	const template = pod + "metadata:\n  name: {{ .Name }}\n"
	for name, test := range map[string]struct {
		text string
		why  files.Why
	}{
		"a template":                    {template, files.HelmTemplate},
		"actions in actions":            {template + nested("{{if 1}}\n", "", "{{end}}\n", 4_999), files.HelmTemplate},
		"parentheses in parentheses":    {template + "{{ " + nested("(", "1", ")", 10_000) + " }}", files.HelmTemplate},
		"too many actions in actions":   {template + nested("{{if 1}}\n", "", "{{end}}\n", 5_000), ""},
		"very many":                     {template + nested("{{if 1}}", "", "", 1_000_000), ""},
		"too many parentheses":          {template + "{{ " + nested("(", "1", ")", 10_001) + " }}", ""},
		"very many parentheses":         {template + "{{ " + nested("(", "", "", 8_000_000) + " }}", ""},
		"a large template":              {template + strings.Repeat("# comment\n", 200_000), ""},
		"no object in a large template": {strings.Repeat("{{if 1}}", 1_000_000), files.NoObject},
	} {
		if why := files.Manifests("a.yaml", []byte(test.text)); why != test.why {
			t.Errorf("%s is %q, want %q", name, why, test.why)
		}
	}
}

func nested(opening, middle, closing string, depth int) string {
	return strings.Repeat(opening, depth) + middle + strings.Repeat(closing, depth)
}
