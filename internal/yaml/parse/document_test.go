package parse_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/parse"
)

func ExampleDocument() {
	document, err := parse.Document([]byte("kind: Pod # a comment\nspec: {containers: []}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	spec := document.Content[0].Content[2]
	fmt.Printf("%s stands in line %d\n", spec.Value, spec.Line)
	// Output: spec stands in line 2
}

func TestTextWithoutADocumentIsTheEnd(t *testing.T) {
	for _, text := range []string{"", "\n", "  \n\n", "# only a comment\n", "\ufeff"} {
		if _, err := parse.Document([]byte(text)); !errors.Is(err, io.EOF) {
			t.Errorf("%q: got %v, want io.EOF", text, err)
		}
	}
}

func TestSeveralDocumentsAreTold(t *testing.T) {
	for text, line := range map[string]int{"a: b\n---\nc: d\n": 2, "a: b\n...\n---\n": 3, "---\n---\na: b\n": 2} {
		var several *parse.SeveralDocumentsError
		if _, err := parse.Document([]byte(text)); !errors.As(err, &several) {
			t.Errorf("%q: got %v", text, err)
		} else if several.Line != line {
			t.Errorf("%q: the second begins in line %d, want %d", text, several.Line, line)
		}
	}
}

func TestErrorsAreThoseOfTheLibrary(t *testing.T) {
	for _, text := range []string{"a: b: c\n", "a: [b\n", "\ta: b\n", "a: *b\n", "a: \"\\q\"\n", "a: b\n}\n", "a: b\x00\n"} {
		_, err := parse.Document([]byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), "yaml: ") {
			t.Errorf("%q: got %v", text, err)
			continue
		}
		if libraryErr := yaml.Unmarshal([]byte(text), new(yaml.Node)); libraryErr != nil && libraryErr.Error() != err.Error() {
			t.Errorf("%q: got %v, want %v", text, err, libraryErr)
		}
	}
}

func TestKeysThatAreThereTwiceAreKept(t *testing.T) {
	for _, text := range []string{"a: 1\na: 2\n", "a: &x 1\na: 2\n"} {
		document, err := parse.Document([]byte(text))
		if err != nil || len(document.Content[0].Content) != 4 {
			t.Errorf("%q: %v, %v", text, document, err)
		}
	}
}

func TestCommentsAreLeftOut(t *testing.T) {
	for _, text := range []string{"# x\na: b # y\n# z\n", "# x\na: &b c # y\n# z\n"} {
		document, err := parse.Document([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range append(document.Content[0].Content, document, document.Content[0]) {
			if n.HeadComment+n.LineComment+n.FootComment != "" {
				t.Errorf("%q: a comment is left at %q", text, n.Value)
			}
		}
	}
}
