package joined_test

import (
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/joined"
)

func TestHasComparesWholeElements(t *testing.T) {
	for _, test := range []struct {
		value, separator, part string
		want                   bool
	}{
		{"", ":", "a", false},
		{"a", ":", "a", true},
		{"a:b", ":", "b", true},
		{"ab:b", ":", "a", false},
		{"-a --require /x -b", " ", "--require /x", true},
		{"--require /y /x", " ", "--require /x", false},
		{"--require /xy", " ", "--require /x", false},
		{"a, b", ", ", "b", true},
		{"a,b", ", ", "b", false},
	} {
		if got := joined.Has(test.value, test.separator, test.part); got != test.want {
			t.Errorf("%q has %q between %q: %t", test.value, test.part, test.separator, got)
		}
	}
}

func TestSplitFindsParts(t *testing.T) {
	after := func(texts ...string) (parts []joined.Part) {
		for _, text := range texts {
			parts = append(parts, joined.Part{Text: text})
		}
		return parts
	}
	for _, test := range []struct {
		value string
		parts []joined.Part
		want  []string
	}{
		{"", after("a"), nil},
		{"x a b", after("a b"), []string{"x", "a b"}},
		{"x a b", after("b", "a"), []string{"x", "a", "b"}},
		{"a x a", after("a"), []string{"a", "x", "a"}},
		{"x y x", after("x", "y x"), []string{"x", "y x"}},
		{"x a b hand", after("a b"), []string{"x", "a b", "hand"}},
		{"a b x a b", []joined.Part{{Text: "a b", Before: true}}, []string{"a b", "x", "a", "b"}},
		{"b a x a x b", append(after("a", "a x", "x b"), joined.Part{Text: "b", Before: true}), []string{"b", "a x", "a", "x b"}},
		{"x", after("x y"), []string{"x"}},
		{"a b hand a b hand", after("a b"), []string{"a", "b", "hand", "a b", "hand"}},
		{"hand a b hand a b", []joined.Part{{Text: "a b", Before: true}}, []string{"hand", "a b", "hand", "a", "b"}},
		{"hand a b c hand", after("b c", "a b"), []string{"hand", "a", "b c", "hand"}},
	} {
		if got := joined.Split(test.value, " ", test.parts); !slices.Equal(got, test.want) {
			t.Errorf("%q with %v: got %q, want %q", test.value, test.parts, got, test.want)
		}
	}
}

func TestAddKeepsTheOrderOfParts(t *testing.T) {
	before := func(text string) joined.Part { return joined.Part{Text: text, Before: true} }
	for _, test := range []struct {
		value  string
		part   joined.Part
		others []joined.Part
		want   string
	}{
		{"", joined.Part{Text: "a"}, nil, "a"},
		{"x", joined.Part{Text: "a"}, nil, "x:a"},
		{"x", before("a"), nil, "a:x"},
		{"x:a", joined.Part{Text: "b"}, []joined.Part{{Text: "a"}}, "x:a:b"},
		{"a:x", before("b"), []joined.Part{before("a")}, "a:b:x"},
		{"a:x", before("b"), nil, "b:a:x"},
		{"a", before("b"), []joined.Part{{Text: "a"}}, "b:a"},
	} {
		if got := joined.Add(test.value, ":", test.part, test.others); got != test.want {
			t.Errorf("%q with %v: got %q, want %q", test.value, test.part, got, test.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("x a b", " ", "a b", "b", true)
	f.Add("a::b:", ":", ":", "", false)
	f.Fuzz(func(t *testing.T, value, separator, first, second string, before bool) {
		if separator == "" {
			return
		}
		parts := []joined.Part{{Text: first, Before: before}, {Text: second}}
		if got := strings.Join(joined.Split(value, separator, parts), separator); got != value {
			t.Errorf("%q between %q becomes %q", value, separator, got)
		}
		if added := joined.Add(value, separator, parts[0], parts[1:]); value != "" && !joined.Has(added, separator, first) {
			t.Errorf("%q has no %q", added, first)
		}
	})
}
