package read

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

func TestManifestsAreReadAsTheLibraryReadsThem(t *testing.T) {
	for name, text := range manifests(t) {
		t.Run(name, func(t *testing.T) {
			checkSure(t, text)
			checkSure(t, []byte(crlf(string(text))))
			checkDocument(t, text)
		})
	}
}

// declined are the manifests of the corpus that are left to the library, by a part of their
// names. All others must be read fast: otherwise the speed goes away without a word.
var declined = []string{
	"directive", "markers", "hand-tags", "hand-trailing-spaces",
}

func TestCommonManifestsAreReadFast(t *testing.T) {
	for name, text := range manifests(t) {
		inCorpus := strings.Contains(name, "/corpus/") && !strings.Contains(name, "#")
		inExamples := strings.HasPrefix(name, "../../../../examples/") && !bytes.Contains(text, []byte("\n---\n"))
		if !inCorpus && !inExamples {
			continue
		}
		want := true
		for _, part := range declined {
			if strings.Contains(filepath.Base(name), part) {
				want = false
			}
		}
		if _, got := sure(text); got != want {
			t.Errorf("%s: read fast is %v, want %v", name, got, want)
		}
	}
}

// Lists of children stand next to each other; one who adds to a list must not write into
// the next one.
func TestListsCanBeAppendedTo(t *testing.T) {
	text := []byte("a: [1, 2]\nb: [3, 4]\nc:\n- 5\nd: {e: 6}\n")
	document, ok := sure(text)
	if !ok {
		t.Fatal("declined")
	}
	root := document.Content[0]
	for _, n := range []*node.Node{root.Content[1], root.Content[3], root.Content[5], root.Content[7], root, document} {
		if cap(n.Content) != len(n.Content) {
			t.Errorf("there is room behind the children at %d", n.Start)
		}
	}
	for _, n := range []*node.Node{root.Content[1], root.Content[3], root.Content[5]} {
		n.Content = append(n.Content, &node.Node{Kind: node.ScalarNode, Value: "new"})
	}
	for i, want := range []string{"3", "4", "new"} {
		if got := root.Content[3].Content[i].Value; got != want {
			t.Errorf("entry %d is %s, want %s", i, got, want)
		}
	}
}

// A copy of each text would take as much memory as the input of a run.
func TestValuesShareTheText(t *testing.T) {
	if allocations := allocationsOf(t, []byte("- abc\n- 'abc'\n- [abc, {abc: \"abc\"}]\n")); allocations > 0 {
		t.Errorf("%v allocations with an arena that has room", allocations)
	}
}

func TestBuiltValuesShareABuffer(t *testing.T) {
	if allocations := allocationsOf(t, []byte("- |\n  a script\n  of two lines\n- \"escaped\\n\"\n")); allocations > 2 {
		t.Errorf("%v allocations for two values", allocations)
	}
}

// allocationsOf returns how often memory is allocated to read a text with an arena that has read it before.
func allocationsOf(t *testing.T, text []byte) float64 {
	t.Helper()
	arena := new(Arena)
	return testing.AllocsPerRun(100, func() {
		r := newReader(text, arena)
		if r.document() == nil || r.unsure {
			t.Fatal("the text is not read fast")
		}
		arena.Reset()
	})
}

// Texts that make a careless reader go over the same bytes again and again. One that does
// takes minutes for these.
func TestTimeGrowsWithTheText(t *testing.T) {
	const many = 200_000
	for name, text := range map[string]string{
		"a long line of other alphabets": "[" + strings.Repeat("é, ", many) + "é]\n",
		"many empty lines":               "a: b\n" + strings.Repeat("\n", many) + "c: d\n",
		"many comments":                  "a: b\n" + strings.Repeat("# x\n", many) + "c: d\n",
		"many keys":                      strings.Repeat("a: 'b'\n", many),
		"many empty block scalars":       strings.Repeat("- |\n", many),
		"a long block scalar":            "a: |\n" + strings.Repeat("  x\n\n", many),
		"a long plain scalar":            "a: " + strings.Repeat("b # ", many) + "\n",
		"many lines of a plain scalar":   "a: b\n" + strings.Repeat("  c\n\n", many),
		"many scalars over lines":        strings.Repeat("- b\n  c\n- \"d\n\"\n", many),
		"many escapes":                   "a: \"" + strings.Repeat(`\n`, many) + "\"\n",
	} {
		if _, ok := sure([]byte(text)); !ok {
			t.Errorf("%s: declined", name)
		}
	}
	for name, text := range map[string]string{
		"many opening brackets": strings.Repeat("[", many),
		"many dashes":           strings.Repeat("- ", many),
		"many quotes":           strings.Repeat("- \"\n", many+1),
	} {
		if _, ok := sure([]byte(text)); ok {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestLongTextsTakeNoLongerThanTheyAre would not end in time if each mark of a long line were compared with the rest of
// the line.
func TestLongTextsTakeNoLongerThanTheyAre(t *testing.T) {
	const marks = 1 << 18
	for _, mark := range []string{"- ", "? ", "[", "{a: ", "&a ", "!a ", "a: ", "'a' ", "\"a\" ", "- a\n", "a:\n", "'", "* ", "[a, ", "a\n "} {
		if r := newReader([]byte(strings.Repeat(mark, marks)+"'"), new(Arena)); r.document() == nil && len(r.problem.Message) > 1000 {
			t.Errorf("%q: the message has %d bytes", mark, len(r.problem.Message))
		}
	}
}
