package read

import (
	"strings"
	"testing"
)

func TestDirectivesAreBoundedWhereverTheyStand(t *testing.T) {
	many := strings.Repeat("%TAG !a! b\n", maxDirectives+1)
	few := strings.Repeat("%TAG !a! b\n", maxDirectives)
	for name, test := range map[string]struct {
		text    string
		refused bool
	}{
		"at the start":                        {many + "---\na: 1\n", true},
		"behind a comment that is indented":   {"  # c\n" + many + "---\na: 1\n", true},
		"behind a byte order mark":            {"\ufeff" + many + "---\na: 1\n", true},
		"with comments and blanks in between": {strings.ReplaceAll(many, "\n", "\n\n # c\n") + "---\na: 1\n", true},
		"behind a document that is ended":     {"a: 1\n...\n" + many + "---\nb: 1\n", true},
		"behind a document that is not":       {"a: 1\n" + many + "---\nb: 1\n", true},
		"on lines that end otherwise":         {strings.ReplaceAll(many, "\n", "\r") + "---\ra: 1\r", true},
		"on lines that end in NEL":            {strings.ReplaceAll(many, "\n", "\u0085") + "---\na: 1\n", true},
		"no more than there may be":           {few + "---\na: 1\n", false},
		"those of two documents":              {few + "---\na: 1\n...\n" + few + "---\nb: 1\n", false},
		"what looks like them in a text":      {"a: |\n" + strings.ReplaceAll(many, "%", "  %"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := checkDirectives([]byte(test.text)); (err != nil) != test.refused {
				t.Errorf("got the error %v", err)
			}
		})
	}
}
