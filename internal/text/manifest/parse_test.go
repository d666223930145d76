package manifest

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseGivesTheObjectInItsDocument(t *testing.T) {
	for _, c := range streams {
		s, err := Read([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		for i, item := range s.Items {
			if c.name == "merge keys and anchors" && i == 1 {
				continue // its anchor is in another item
			}
			document, object, err := item.Parse()
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if ObjectIn(document) != object {
				t.Errorf("%s: the object is not in the document", c.name)
			}
		}
	}
}

func TestReadRefusesWhatIsNoStream(t *testing.T) {
	list := lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:")
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "the input is empty"},
		{"blank lines and comments", "\n# only a comment\n---\n\n", "the input is empty"},
		{"bytes that are not UTF-8", "kind: Pod\nname: \xff\n", "line 2: the input is not UTF-8: byte 0xff at offset 16"},
		{"an invisible space at the beginning", "\n \u00a0{}\n", "line 2: the text begins with an invisible space, so"},
		{"an invisible space behind a marker", "~\n--- \u2003# x\n{}\n", "line 2: an invisible space follows the ---"},
		{"a carriage return alone", "kind: Pod\r\n# {{/* \r---\r# */}}\r\n", "line 2: this line has a carriage return in it, so that"},
		{"a byte order mark behind a marker", "---\n\ufeffkind: Pod\n", "line 2: this line begins with a byte order mark"},
		{"two byte order marks", "\ufeff\ufeffkind: Pod\n", "line 1: this line begins with a byte order mark"},
		{"a marker for kubectl alone", "kind: A\n---# x: \"\nkind: Pod\n---# \"\n", "line 2: this line begins with --- and goes on"},
		{"a marker for kubectl on the first line", "---# x: \"\nkind: Pod\n\"\n", "line 1: this line begins with ---"},
		{"dashes in quotes", "kind: A\nx: \"\n-----BEGIN\n\"\n", "line 3: this line begins with ---"},
		{"JSON objects behind each other", "{\"kind\": \"A\"}\n{\"kind\": \"Pod\"}\n", "line 2"},
		{"UTF-16", "\xff\xfek\x00", "the input is UTF-16"},
		{"text that is not YAML", "kind: Pod\n---\nkind: Pod\nspec:\n  a: b\n   c: d\n", "line 6: this is not YAML"},
		{"a template", "{{ include \"web\" . }}\n", "line 1"},
		{"a scalar", "---\nhello\n", "line 2: this document is the string"},
		{"a list of documents", "- kind: Pod\n", "line 1: this document is a list"},
		{"an item that is a scalar", list + "- kind: Pod\n- web\n", "line 5: this item is the string"},
		{"an item that is null", list + "-\n", "line 4: this item is null"},
		{"another apiVersion", "apiVersion: config.kubernetes.io/v2\nkind: ResourceList\n", "expected config.kubernetes.io/v1"},
		{"a ResourceList among documents", list + "---\nkind: Pod\n", "must be the only document"},
		{"items that are not a list", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {a: b}\n", "expected a list"},
		{
			"items that are misspelt", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitmes:\n- kind: Pod\n",
			`line 3: the ResourceList has no items, and has the key "itmes"; write items`,
		},
		{
			"items in capitals, in brackets", `{apiVersion: config.kubernetes.io/v1, kind: ResourceList, Items: [{kind: Pod}]}`,
			`has the key "Items"; write items`,
		},
		{
			"a List whose items are misspelt", "kind: Pod\n---\napiVersion: v1\nkind: List\nitem:\n- kind: Pod\n",
			`line 5: the List has no items, and has the key "item"; write items`,
		},
		{"an item that is too large", list + "- kind: Pod\n  a: " + strings.Repeat("x", MaxItemBytes) + "\n", "line 4: this Pod has"},
		{"a function configuration that is a scalar", list + "- kind: Pod\nfunctionConfig: web\n", "functionConfig is the string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestParseRefusesWhatIsUnsound(t *testing.T) {
	laughs := "kind: Pod\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"a key that is there twice", "kind: Pod\nmetadata:\n  name: a\n  name: b\n", `line 4: the key "name" is there twice`},
		{"nesting without end", "kind: Pod\na: " + strings.Repeat("[", 300) + strings.Repeat("]", 300), "nested more than 200 levels"},
		{"an alias inside of its anchor", "kind: Pod\na: &a [*a]\n", "is inside of the node that it refers to"},
		{"aliases that explode", laughs, "expand to more than"},
		{
			"aliases that add much", "kind: Pod\na: &a [" + strings.Repeat("1,", 1000) + "]\nb: [" + strings.Repeat("*a,", 101) + "]\n",
			"expand to more than 100000 nodes",
		},
		{"more nodes than anybody needs", "kind: Pod\na: &unused [" + strings.Repeat("1,", maxNodes) + "]\n", "this object has more than"},
		{
			"an anchor in another item", "kind: List\nitems:\n- kind: Pod\n  a: &x 1\n- kind: Pod\n  a: *x\n",
			"the alias *x refers to an anchor outside of the object",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = s.Items[len(s.Items)-1].Parse()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
