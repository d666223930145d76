package admission

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLongLinesAreBroken(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, test := range []struct{ name, expression, want string }{
		{"a short line stays", `a && b ? c : d`, `a && b ? c : d`},
		{"a comment stays", "// a && " + long, "// a && " + long},
		{"a string stays", `"a && ` + long + `"`, `"a && ` + long + `"`},
		{"an escaped quote does not end a string", `"\" && ` + long + `" + b`, `"\" && ` + long + "\" +\nb"},
		{"a choice is broken first", "a && b ? c + " + long + " : d", "a && b ?\n  c +\n  " + long + " :\n  d"},
		{"operators of the outermost level are broken first", "(a + b) && (c + d) && " + long, "(a + b) &&\n(c + d) &&\n" + long},
		{"what is inside parentheses is indented", "f(a || " + long + ") +", "f(a ||\n  " + long + ") +"},
		{"an indent is kept", "    a || " + long, "    a ||\n    " + long},
		{
			"an object is broken between its fields first", `P{op: "add", path: a + b + ` + long[20:] + `, value: c}`,
			"P{op: \"add\",\n  path: a + b + " + long[20:] + ",\n  value: c}",
		},
		{"arguments are kept together", "f(a, b, " + long + ")", "f(a, b,\n  " + long + ")"},
	} {
		if diff := cmp.Diff(test.want, layOut(test.expression)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestLongListsFillLines(t *testing.T) {
	list := stringList(strings.Fields(strings.Repeat("name ", 100)))
	lines := strings.Split(layOut("n in "+list), "\n")
	for i, line := range lines {
		if isLast := i == len(lines)-1; len(line) > maxLine || !isLast && len(line) < maxLine-10 {
			t.Errorf("line %d has %d characters: %s", i+1, len(line), line)
		}
	}
}

// FuzzLayout checks that only white space changes, and none inside of strings and comments.
func FuzzLayout(f *testing.F) {
	f.Add(`a && b ? c : d + [1, 2, "x, \" y"]`)
	f.Add("// comment, with a + b\nf(a, b) || c")
	f.Add(`)]} : "unfinished, `)
	f.Fuzz(func(t *testing.T, text string) {
		expression := text + strings.Repeat(" + f(a, b && c)", 20)
		got := layOut(expression)
		if withoutSpace(got) != withoutSpace(expression) {
			t.Errorf("%q became %q", expression, got)
		}
		comments := func(text string) (all []string) {
			for line := range strings.SplitSeq(text, "\n") {
				if line = strings.TrimLeft(line, " "); strings.HasPrefix(line, "//") {
					all = append(all, line)
				}
			}
			return all
		}
		if diff := cmp.Diff(comments(expression), comments(got)); diff != "" {
			t.Errorf("the comments differ:\n%s", diff)
		}
	})
}

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }
