package splice

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

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
		{"a comment between entries in brackets", "a: [\n  b, # why\n  c\n]\n", edition{change: dropAt("a", 1)}, "would be lost"},
		{"a comment behind an entry in brackets", "a: [\n  b, # why\n  c\n]\n", edition{change: dropAt("a", 0)}, "would be lost"},
		{"a comment in empty brackets", "a: [ # why\n]\n", edition{change: add("a", "b")}, "would be lost"},
		{"a key without a colon", "? a\n? b\n", edition{change: put("", "a", "c")}, "has no colon"},
		{"a tag of a list that is written out", "a: &x !t\n- b\nc: *x\n", edition{change: func(_ *testing.T, d *node.Node) {
			node.Own(at(d, ""), "c")
		}}, "would have other values"},
		{"an anchor that aliases still need", "a: &x\n- b\nc: *x\n", edition{change: drop("", "a")}, "cannot be parsed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := parsed(t, c.text)
			after := parsed(t, c.text)
			c.edition.change(t, after)
			_, err := spliced([]byte(c.text), before, after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
