package emit

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestWhatKubectlReadsAsABooleanStaysWithoutQuotes(t *testing.T) {
	const text = "{a: yes, b: \"yes\", c: [Off, on, 'n'], y: 1}"
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if got := string(Style{}.FlowValue(nil, document.Content[0], "")); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
}
