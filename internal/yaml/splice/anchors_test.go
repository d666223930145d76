package splice

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// TestAnchorsAreLeftOut checks that a stamp keeps the layout of something with anchors inside, without the anchors.
func TestAnchorsAreLeftOut(t *testing.T) {
	for given, want := range map[string]string{
		"a:\n- image: &i app:1 # which\n  # none\n  env: &env\n  name: b\n": "image: app:1 # which\n# none\nenv:\nname: b",
		"a:\n- name: b\n  limits: &l # most\n    cpu: &c 1\n":               "name: b\nlimits: # most\n  cpu: 1",
		"a:\n- {name: b, args: [ &x y,  z], env: &e }\n":                    "{name: b, args: [ y,  z], env: }",
		"a:\n- name: R&D &co # &nothing\n  text: '&x'\n":                    "name: R&D &co # &nothing\ntext: '&x'",
		"a:\n- name: &n b # its name\n  alias: *n\n":                        "{name: b, alias: b}",
	} {
		var document node.Node
		if err := read.Into([]byte(given), &document); err != nil {
			t.Fatal(err)
		}
		entry := document.Content[0].Content[1].Content[0]
		if diff := cmp.Diff(want, ReadTexts([]byte(given), &document, stamp.CanKeep)(entry)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", given, diff)
		}
	}
}
