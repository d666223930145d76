package variable_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/config/variable"
)

// Whatever the text, it is refused with words, or is literal, or expands; and a text that is
// escaped comes out as it was.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "$", "$$", "$${", "${", "${}", "$$${a}", "a ${workload.name} b", "${pod.labels['a']:-b}", "${pod.labels[\"a\"]}",
		"${workload.name:-{}}", "$(VAR) $$(VAR) ${workload.kind}", "\xff${\xff}", "${container.name}:${container.port:-80}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, wrong := variable.Parse(text)
		switch {
		case wrong != nil:
			if wrong.Message == "" || !strings.Contains(text, "${") {
				t.Errorf("%q is refused with %q", text, wrong.Message)
			}
		case parsed.IsLiteral():
			if strings.Contains(text, "${") {
				t.Errorf("%q is taken for literal", text)
			}
		default:
			if _, unset := parsed.Expand(subject(t)); unset != nil && !strings.Contains(unset.Message(), ":-DEFAULT}") {
				t.Errorf("%q: %v", text, unset)
			}
		}
		escaped := strings.ReplaceAll(text, "${", "$${")
		parsed, wrong = variable.Parse(escaped)
		if wrong != nil {
			t.Fatalf("%q, escaped, is refused: %v", text, wrong)
		}
		if got, unset := parsed.Expand(subject(t)); !parsed.IsLiteral() && (unset != nil || got != text) {
			t.Errorf("%q, escaped, becomes %q, %v", text, got, unset)
		}
	})
}
