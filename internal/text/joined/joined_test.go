package joined_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/test/growth"
)

func before(text string) joined.Part { return joined.Part{Text: text, Before: true} }

func after(text string) joined.Part { return joined.Part{Text: text} }

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

func TestAddPutsPartsAroundTheAppsText(t *testing.T) {
	for _, test := range []struct {
		app   string
		parts []joined.Part
		want  string
	}{
		{"", nil, ""},
		{"x", nil, "x"},
		{"", []joined.Part{after("a")}, "a"},
		{"x", []joined.Part{after("a")}, "x:a"},
		{"x", []joined.Part{before("a")}, "a:x"},
		{"x", []joined.Part{after("a"), before("b"), after("c"), before("d")}, "b:d:x:a:c"},
		{"", []joined.Part{after("a"), before("b")}, "b:a"},
		{"x:", []joined.Part{after("a")}, "x::a"},
	} {
		if got := joined.Add(test.app, ":", test.parts); got != test.want {
			t.Errorf("%q with %v: got %q, want %q", test.app, test.parts, got, test.want)
		}
	}
}

func TestRemoveFindsParts(t *testing.T) {
	for _, test := range []struct {
		value string
		parts []joined.Part
		app   string
		found []joined.Part
	}{
		{"", []joined.Part{after("a")}, "", nil},
		{"x", nil, "x", nil},
		{"a", []joined.Part{after("a")}, "", []joined.Part{after("a")}},
		{"x a b", []joined.Part{after("a b")}, "x", []joined.Part{after("a b")}},
		{"x a b", []joined.Part{after("b"), after("a")}, "x", []joined.Part{after("a"), after("b")}},
		// the outermost on its side
		{"a x a", []joined.Part{after("a")}, "a x", []joined.Part{after("a")}},
		{"a x a", []joined.Part{before("a")}, "x a", []joined.Part{before("a")}},
		{"a b x a b", []joined.Part{before("a b")}, "x a b", []joined.Part{before("a b")}},
		// the longest first
		{"x y x", []joined.Part{after("x"), after("y x")}, "", []joined.Part{after("x"), after("y x")}},
		{"x y x", []joined.Part{before("x"), before("x y")}, "", []joined.Part{before("x y"), before("x")}},
		{
			"b a x a x b",
			[]joined.Part{after("a"), after("a x"), after("x b"), before("b")},
			"",
			[]joined.Part{before("b"), after("a x"), after("a"), after("x b")},
		},
		// between what a person wrote
		{"x a b hand", []joined.Part{after("a b")}, "x hand", []joined.Part{after("a b")}},
		{"hand a b x", []joined.Part{before("a b")}, "hand x", []joined.Part{before("a b")}},
		{"x a hand b", []joined.Part{after("b"), after("a")}, "x hand", []joined.Part{after("a"), after("b")}},
		{"a b hand a b hand", []joined.Part{after("a b")}, "a b hand hand", []joined.Part{after("a b")}},
		{"hand a b c hand", []joined.Part{after("b c"), after("a b")}, "hand a hand", []joined.Part{after("b c")}},
		// not there
		{"x", []joined.Part{after("x y")}, "x", nil},
		{"x", []joined.Part{before("x y")}, "x", nil},
		{"xa", []joined.Part{after("a")}, "xa", nil},
		{"a c b", []joined.Part{after("a b")}, "a c b", nil},
		// one part, of two owners
		{"a x a", []joined.Part{after("a"), after("a")}, "a x", []joined.Part{after("a")}},
		// empty elements
		{" a", []joined.Part{after("a")}, "", []joined.Part{after("a")}},
		{"  a", []joined.Part{after("a")}, " ", []joined.Part{after("a")}},
	} {
		app, found := joined.Remove(test.value, " ", test.parts)
		if app != test.app || !slices.Equal(found, test.found) {
			t.Errorf("%q without %v: got %q and %v, want %q and %v",
				test.value, test.parts, app, found, test.app, test.found)
		}
	}
}

// TestPartsGoInAnyOrder claims that what was added is removed in any order, and that the app's text is as before.
func TestPartsGoInAnyOrder(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		separator := []string{" ", ":", ", ", "--"}[r.IntN(4)]
		row := func(names ...string) string {
			elements := make([]string, 1+r.IntN(3))
			for i := range elements {
				elements[i] = names[r.IntN(len(names))]
			}
			return strings.Join(elements, separator)
		}
		app := []string{"", row("x", "y", "p", ""), row("x", "y")}[r.IntN(3)]
		var parts []joined.Part
		for i := range r.IntN(6) {
			text := row("p", "q", "r") + separator + fmt.Sprint(i)
			parts = append(parts, joined.Part{Text: text, Before: r.IntN(2) == 0})
		}
		value := joined.Add(app, separator, parts)
		for left := slices.Clone(parts); len(left) > 0; {
			bare, found := joined.Remove(value, separator, left)
			if bare != app || len(found) != len(left) {
				t.Fatalf("seed %d: %q without %v is %q, want %q; found %v", seed, value, left, bare, app, found)
			}
			isFirst := func(part joined.Part) bool { return part == left[0] }
			value = joined.Add(bare, separator, slices.DeleteFunc(found, isFirst))
			left = left[1:]
			r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		}
		if value != app {
			t.Fatalf("seed %d: %q is left, want %q", seed, value, app)
		}
	}
}

// TestHostileValuesTakeLinearTime has parts that are nearly everywhere in a value. Without a limit, the time grows with
// the square.
func TestHostileValuesTakeLinearTime(t *testing.T) {
	removes := func(many int, isBefore bool) func() time.Duration {
		value := strings.TrimSuffix(strings.Repeat("a ", 10*many), " ")
		var parts []joined.Part
		for i := range many {
			text := fmt.Sprint("a a a ", i)
			if !isBefore {
				text = fmt.Sprint(i, " a a a")
			}
			parts = append(parts, joined.Part{Text: text, Before: isBefore})
		}
		return func() time.Duration {
			return growth.Of(t, func() {
				if app, found := joined.Remove(value, " ", parts); app != value || len(found) > 0 {
					t.Errorf("found %v", found)
				}
			})
		}
	}
	for _, isBefore := range []bool{false, true} {
		what := fmt.Sprintf("parts that come before: %v", isBefore)
		growth.Linear(t, what, 16, removes(250, isBefore), removes(4_000, isBefore))
	}
}

// TestPartsAtTheirEndsAreFoundInLongValues claims that the limit does not count there, however many parts look alike.
func TestPartsAtTheirEndsAreFoundInLongValues(t *testing.T) {
	const many = 1000
	app := strings.TrimSuffix(strings.Repeat("-a x ", many), " ")
	var parts []joined.Part
	for i := range many {
		parts = append(parts, joined.Part{Text: fmt.Sprint("-a ", i, " z"), Before: i%2 == 0})
	}
	bare, found := joined.Remove(joined.Add(app, " ", parts), " ", parts)
	if bare != app || len(found) != many {
		t.Errorf("%d of %d parts are found", len(found), many)
	}
}

func FuzzRemove(f *testing.F) {
	f.Add("x a b", " ", "a b", "b", true)
	f.Add("a::b:", ":", ":", "", false)
	f.Fuzz(func(t *testing.T, value, separator, first, second string, isBefore bool) {
		if separator == "" {
			return
		}
		parts := []joined.Part{{Text: first, Before: isBefore}, {Text: second}}
		app, found := joined.Remove(value, separator, parts)
		count := func(text string) int { return len(strings.Split(text, separator)) }
		total := 0
		for _, part := range found {
			total += count(part.Text)
			if !joined.Has(value, separator, part.Text) {
				t.Errorf("%q has no %q", value, part.Text)
			}
		}
		if value != "" && total < count(value) {
			total += count(app)
		}
		if value != "" && total != count(value) {
			t.Errorf("%q becomes %q and %v", value, app, found)
		}
	})
}
