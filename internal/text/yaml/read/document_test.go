package read_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/read"
)

func ExampleDocument() {
	text := []byte("kind: Pod # a comment\nspec: {containers: []}\n")
	document, err := read.Document(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec := document.Content[0].Content[2]
	line, _ := read.Position(text, int(spec.Start))
	fmt.Printf("%s is in line %d\n", spec.Value, line)
	// Output: spec is in line 2
}

func TestTextWithoutADocumentIsTheEnd(t *testing.T) {
	for _, text := range []string{"", "\n", "  \n\n", "# only a comment\n", "\ufeff"} {
		if _, err := read.Document([]byte(text)); !errors.Is(err, io.EOF) {
			t.Errorf("%q: got %v, want io.EOF", text, err)
		}
	}
}

func TestSeveralDocumentsAreTold(t *testing.T) {
	for text, line := range map[string]int{"a: b\n---\nc: d\n": 2, "a: b\n...\n---\n": 3, "---\n---\na: b\n": 2} {
		_, err := read.Document([]byte(text))
		found, ok := errors.AsType[*read.Error](err)
		if !ok || !found.IsYAML || !strings.Contains(found.Message, "second YAML document") {
			t.Errorf("%q: got %v", text, err)
			continue
		}
		if got, _ := read.Position([]byte(text), found.At); got != line {
			t.Errorf("%q: the second begins in line %d, want %d", text, got, line)
		}
	}
}

func TestKeysThatAreThereTwiceAreKept(t *testing.T) {
	for _, text := range []string{"a: 1\na: 2\n", "a: &x 1\na: 2\n"} {
		document, err := read.Document([]byte(text))
		if err != nil || len(document.Content[0].Content) != 4 {
			t.Errorf("%q: %v, %v", text, document, err)
		}
	}
}
