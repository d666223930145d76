package splice

import (
	"bytes"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

func TestRewriteSaysWhatTheNodesSay(t *testing.T) {
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			after := node.Copy(parsed(t, string(text)))
			if o := operations[0]; podSpec(after) != nil {
				o.do(t, podSpec(after))
			}
			result, err := Rewrite(text, after)
			if err != nil {
				t.Fatal(err)
			}
			if !equal(parsed(t, string(result)), after) {
				t.Errorf("says something else:\n%s", result)
			}
			if bytes.HasSuffix(text, []byte("\n")) != bytes.HasSuffix(result, []byte("\n")) {
				t.Errorf("the last line end differs:\n%s", result)
			}
		})
	}
}

func TestRewriteKeepsThePlaceOfTheText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an indented entry", "  - a:   1\n    b: [ c ]\n", "  - a: 1\n    b: [c]\n"},
		{"carriage returns", "a:   1\r\nb: 2\r\n", "a: 1\r\nb: 2\r\n"},
		{"wide lists", "a:\n  - b:   1\n", "a:\n  - b: 1\n"},
		{"a marker", "--- !!map\na:   1\n", "---\n!!map\na: 1\n"},
		{"booleans and numbers in other spellings", "a:   yes\nb: \"yes\"\nc: [On, 0x1F]\n", "a: yes\nb: \"yes\"\nc: [On, 0x1F]\n"},
		{"comments", "# head\na:   1 # line\n", "# head\na: 1 # line\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Rewrite([]byte(c.text), parsed(t, c.text))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestSpliceRefusesWhatItCannotDo(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edition    edition
		want       string
	}{
		{"a change that an alias would spread", "a: &x\n- b\nc: *x\n", edition{change: func(t *testing.T, d *node.Node) {
			at(d, "c").Content = []*node.Node{fresh(t, "- b")} // the alias stays what it was
			add("a", "d")(t, d)
		}}, "would have other values"},
		{
			"a comment between a tag and its null", "a: !!null\n  # why\n  null\n",
			edition{change: put("", "a", "- b")},
			`the comment "# why" would be lost`,
		},
		{"a literal that ends without a line end", "a:\n- |\n  b", edition{change: add("a", "d")}, "there is no newline after the last line"},
		{"a comment between the keys of an entry", "- a: b\n    # why\n  c: d\n", edition{change: drop("0", "a")}, "would be lost"},
		{"an anchor that aliases still need", "a: &x\n- b\nc: *x\n", edition{change: drop("", "a")}, "cannot be parsed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := parsed(t, c.text)
			after := node.Copy(before)
			c.edition.change(t, after)
			_, err := spliced([]byte(c.text), before, after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if written, err := Rewrite([]byte(c.text), after); err == nil && read.EndsOpen([]byte(c.text)) {
				t.Errorf("it is written anew with another end: %q", written)
			}
		})
	}
}

func TestLostCommentsAreCounted(t *testing.T) {
	before := "# head\na: b # line\nc: |\n  # text\nd: e#f\n# head\n"
	document := parsed(t, before)
	for _, c := range []struct {
		name, after string
		want        int
	}{
		{"none", before, 0},
		{"one of two", "a: b # line\nc: \"# text\\n\"\n# head\n", 1},
		{"all", "a: b\n", 3},
	} {
		if got := LostComments([]byte(before), []byte(c.after), document); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
