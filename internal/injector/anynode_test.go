package injector

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestUsualConfigsArePlainJSON(t *testing.T) {
	for text, want := range map[string]bool{
		"metadata: {name: a}\nspec: {containers: [{name: a, args: ['1', \"<<\"], ports: [{containerPort: 80}], tty: true}]}": true,
		"a: .nan":           false,
		"a: !!int b":        false,
		"a: !!binary '@'":   false,
		"5: a":              false,
		"true: a":           false,
		"? null\n: a":       false,
		"a: {<<: {b: c}}":   false,
		"a: 0x10":           false,
		"{a: {b: 1, c: 2}}": true,
	} {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		if got := isPlainJSON(document.Content[0]); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// What isPlainJSON accepts must decode, because then nothing decodes it.
func FuzzIsPlainJSON(f *testing.F) {
	for _, seed := range []string{
		"a: .nan", "a: !!int b", "a: !!str .nan", "5: a", "a: !!bool yes", "a: {b: c, b: d}", "a: 018", "a: -9223372036854775808",
		"? !!str 5\n: a\n5: b", "a: !!map [b]", "a: !!seq {b: c}", "a: \"\\x80\"", "a: [1, -1, true, '']", "? !!str .nan\n: a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var document yaml.Node
		if yaml.Unmarshal([]byte(text), &document) != nil || len(document.Content) == 0 || !isPlainJSON(document.Content[0]) {
			return
		}
		var value any
		if err := document.Content[0].Decode(&value); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(value); err != nil {
			t.Fatal(err)
		}
	})
}
