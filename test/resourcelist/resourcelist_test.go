package resourcelist

import (
	"strings"
	"testing"
)

const file = `# yaml-language-server: $schema=x
apiVersion: v1
kind: ConfigMap # why
data:
  script: |
    one

    two
---
# nothing but a comment
---
kind: Second
`

func TestWrapAndItemsAreInverse(t *testing.T) {
	documents := Documents(file)
	if len(documents) != 2 {
		t.Fatalf("%d documents, want 2: %q", len(documents), documents)
	}
	for _, config := range []string{"", "kind: Config\n"} {
		items, err := Items(Wrap(documents, config))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Join(items), Join(documents); got != want {
			t.Errorf("came back as:\n%s\nwant:\n%s", got, want)
		}
	}
}

func TestItemsRefusesWhatIsNoList(t *testing.T) {
	for _, list := range []string{"", "kind: Pod\n", "items:\n  stray: 1\n"} {
		if items, err := Items(list); err == nil {
			t.Errorf("%q gave %q", list, strings.Join(items, "|"))
		}
	}
}
