package emit

import (
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestWhatKubectlReadsAsABooleanStaysWithoutQuotes(t *testing.T) {
	const text = "{a: yes, b: \"yes\", c: [Off, on, 'n'], y: 1}"
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if got := string(Style{}.FlowValue(nil, document.Content[0], "")); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
}
