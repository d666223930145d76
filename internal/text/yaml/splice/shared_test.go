package splice

import (
	"reflect"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// TestSharedTextFitsEveryDocument adds one entry to documents in several styles, one after another, with and without
// Shared.
func TestSharedTextFitsEveryDocument(t *testing.T) {
	var payload node.Node
	if err := read.Into([]byte("name: proxy\nargs: [a, b]\nenv:\n- name: A\n  value: |\n    one\n    two\n"), &payload); err != nil {
		t.Fatal(err)
	}
	entry := node.Fresh(payload.Content[0])
	shared := &Shared{Has: func(n *node.Node) bool { return n == entry }}
	for _, text := range []string{
		"list:\n- name: app\n", "list:\n-   name: app\n", "list:\n  - name: app\n", "a:\n  list:\n  - name: app\n",
		"list:\n- name: app\n  ports:\n  - 1\n", "list:\n- name: app\n  ports:\n    - 1\n",
		"list:\n- name: app", "list:\r\n- name: app\r\n", "a:\n    list:\n    - name: app\n", "list: [{name: app}]\n",
		`{"list": [{"name": "app"}]}`,
	} {
		for _, isFirst := range []bool{false, true} {
			document, after := parsed(t, text), parsed(t, text)
			object := after.Content[0]
			if inner := node.Get(object, "a"); inner != nil {
				object = inner
			}
			list := node.Get(object, "list")
			at := len(list.Content)
			if isFirst {
				at = 0
			}
			node.Insert(list, at, entry)
			want, err := Edits([]byte(text), document, after, Past{})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := Edits([]byte(text), document, after, Past{Shared: shared})
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%q, first: %v: got %v, %v, want %v", text, isFirst, got, err, want)
				}
			}
		}
	}
	if fields := reflect.TypeFor[emit.Style]().NumField(); fields != 7 { // all but Texts are in sharedKey
		t.Errorf("a style has %d fields; add the new one to sharedKey", fields)
	}
	known := 0
	shared.texts.Range(func(_, text any) bool {
		known++
		return strings.Contains(string(text.([]byte)), "proxy")
	})
	if known < 5 {
		t.Errorf("only %d texts are shared", known)
	}
}
