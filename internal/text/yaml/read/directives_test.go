package read

import (
	"strings"
	"testing"
)

func TestDirectivesAreBoundedWhereverTheyStand(t *testing.T) {
	many := strings.Repeat("%TAG !a! b\n", maxDirectives+1)
	for name, text := range map[string]string{
		"at the start":                        many + "---\na: 1\n",
		"behind a comment that is indented":   "  # c\n" + many + "---\na: 1\n",
		"behind a byte order mark":            "\ufeff" + many + "---\na: 1\n",
		"with comments and blanks in between": strings.ReplaceAll(many, "\n", "\n\n # c\n") + "---\na: 1\n",
		"behind a document that is ended":     "a: 1\n...\n" + many + "---\nb: 1\n",
		"on lines that end otherwise":         strings.ReplaceAll(many, "\n", "\r") + "---\ra: 1\r",
		"on lines that end in NEL":            strings.ReplaceAll(many, "\n", "\u0085") + "---\na: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := library([]byte(text)); err == nil || !strings.Contains(err.Error(), "more than 32 directives") {
				t.Errorf("got the error %v", err)
			}
		})
	}
}

func TestTextLikeDirectivesIsNotBounded(t *testing.T) {
	text := "b: c\td\na: |\n" + strings.Repeat("  %TAG !a! b\n", maxDirectives+1)
	if _, err := Document([]byte(text)); err != nil {
		t.Error(err)
	}
}
