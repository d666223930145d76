package parse

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// insertions are texts that change what is around them, or almost do.
var insertions = []string{
	"", "", "\n", " ", "  ", "-", "- ", "#", " # c", ":", ": ", "a: b\n", "  a: b\n", "    a: b\n", "- a\n", "  - a\n", "- a: b\n  c: d\n",
	"a:\n", "  a:\n", "-\n", "|\n", "|+\n\n", ">-\n", "\"", "'", "[", "]", "{", "}", "\t", "\r\n", "\r", "---\n", "...\n", "é", "\xc3",
	"\u2028",
	"\ufeff", "x", "&a ", "*a", "!t ", "? ", "<<", "\n\n", "\n  more", "null", "a: [b,\n c]\n", "a: \"b\n  c\"\n", "%",
}

func TestARereadTextIsReadAsIfItWereNew(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range rereadTexts(t) {
		for range 100 {
			checkReread(t, text, randomEdits(random, text))
		}
	}
}

// A list may be as deep as its key, and then it does not count for the limit of the depth.
func TestRereadingCountsTheDepth(t *testing.T) {
	dashes, blanks := strings.Repeat("- ", maxDepth-3), strings.Repeat("  ", maxDepth-3)
	text := dashes + "a:\n" + blanks + "-   b: c\n" + blanks + "    d: [e]\n" + blanks + "    f: g\n" + blanks + "    h: i\n"
	if _, ok := fast([]byte(text), new(Arena)); !ok {
		t.Fatal("it is too deep before")
	}
	at := strings.Index(text, "-   b")
	checkReread(t, []byte(text), []edit.Edit{{Start: at, End: at + len("-   "), Text: []byte("  - ")}})
	checkReread(t, []byte(text), []edit.Edit{{Start: at, End: at, Text: []byte("- new\n" + blanks)}})
}

func TestOnlyAnArenaThatReadADocumentRereadsIt(t *testing.T) {
	text, arena := []byte("a: b\n"), new(Arena)
	document, err := arena.Document(text)
	if err != nil {
		t.Fatal(err)
	}
	copied := *document
	for name, reread := range map[string]func() (*yaml.Node, bool){
		"another arena": func() (*yaml.Node, bool) {
			return new(Arena).Reread(new(Arena), document, lex.NewLines(text), text, nil)
		},
		"a copy": func() (*yaml.Node, bool) { return new(Arena).Reread(arena, &copied, lex.NewLines(text), text, nil) },
		"another text": func() (*yaml.Node, bool) {
			return new(Arena).Reread(arena, document, lex.NewLines([]byte("a: c\n")), text, nil)
		},
		"no document": func() (*yaml.Node, bool) { return new(Arena).Reread(new(Arena), nil, lex.NewLines(nil), text, nil) },
	} {
		if _, ok := reread(); ok {
			t.Errorf("%s rereads it", name)
		}
	}
	if _, ok := new(Arena).Reread(arena, document, lex.NewLines(text), text, nil); !ok {
		t.Error("it is not reread")
	}
}

// FuzzReread makes two edits of any text.
func FuzzReread(f *testing.F) {
	for i, text := range rereadTexts(f) {
		f.Add(text, uint16(7*i), uint16(i%5), insertions[i%len(insertions)], uint16(31*i), uint16(i%3), insertions[3*i%len(insertions)])
	}
	f.Fuzz(func(t *testing.T, text []byte, start, removed uint16, inserted string, start2, removed2 uint16, inserted2 string) {
		one := edit.Edit{Start: min(int(start), len(text)), Text: []byte(inserted)}
		one.End = min(one.Start+int(removed), len(text))
		two := edit.Edit{Start: min(one.End+int(start2), len(text)), Text: []byte(inserted2)}
		two.End = min(two.Start+int(removed2), len(text))
		checkReread(t, text, []edit.Edit{one, two})
	})
}

// checkReread compares the nodes of Reread with those of the fast reader, and which texts they decline.
func checkReread(t *testing.T, text []byte, edits []edit.Edit) {
	t.Helper()
	arena := new(Arena)
	document, ok := fast(text, arena)
	if !ok {
		return
	}
	result := edit.Apply(text, edits)
	r := newReader(result, new(Arena))
	isOrdinary := r.surveyEdits(result, string(text), edits)
	read, isRead := new(Arena).Reread(arena, document, lex.NewLines(text), result, edits)
	want, wanted := fast(result, new(Arena))
	switch {
	case isRead != wanted && (isRead || isOrdinary):
		t.Fatalf("%q becomes %q: reread %v, read %v", text, result, isRead, wanted)
	case isRead && !sameNodes(read, want, nodesOf(document)):
		t.Fatalf("%q becomes %q: reread:\n%s\nread:\n%s", text, result, dump(read), dump(want))
	}
}

func nodesOf(document *yaml.Node) map[*yaml.Node]bool {
	found := map[*yaml.Node]bool{}
	node.Visit(document, func(n *yaml.Node) { found[n] = true })
	return found
}

// sameNodes reports whether two trees are the same, except for the positions of old nodes.
func sameNodes(x, y *yaml.Node, old map[*yaml.Node]bool) bool {
	samePosition := x.Line == y.Line && x.Column == y.Column || old[x]
	if x.Kind != y.Kind || x.Style != y.Style || x.Tag != y.Tag || x.Value != y.Value || len(x.Content) != len(y.Content) || !samePosition {
		return false
	}
	for i := range x.Content {
		if !sameNodes(x.Content[i], y.Content[i], old) {
			return false
		}
	}
	return true
}

func dump(n *yaml.Node) string {
	text, err := yaml.Marshal(n)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func rereadTexts(t testing.TB) (texts [][]byte) {
	t.Helper()
	paths, err := filepath.Glob("../splice/testdata/corpus/*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text, []byte(strings.ReplaceAll(string(text), "\n", "\r\n")), []byte(strings.TrimRight(string(text), "\n")))
	}
	for _, text := range []string{
		"a:\n- b: c\n  d: e\n- f\ng: h\n", "a:\n  - b\n  -\n    c: d\n  - - e\n    - f\ng:\nh: i\n", "a: |+\n  b\n\n\nc: d\ne:\n",
		"a: b\n  c\n  d\ne: f\n", "- a: é # é\n  b: \"é\"\n- c: d\n", "a:\n\n  # c\n  b: c\n\n# d\ne: f", "---\na: 1\nb:\n-\n-\nc: x",
		"a:\n-   b: c\n    d: e\nf: g\n", "a:\n- b\n- c\n-\n  d: e\n- # f\n  - g\n- h\ni: j\n", "? a", "{a: b}\n",
		"a: {b: c,\n  d: e}\nf: [\n1]\n", strings.Repeat("- ", 99) + "a: b\n",
		strings.Repeat("- ", 98) + "a:\n" + strings.Repeat(" ", 196) + "- b\n" + strings.Repeat(" ", 196) + "- c\n",
	} {
		texts = append(texts, []byte(text))
	}
	return texts
}

// randomEdits returns up to three edits in order.
func randomEdits(random *rand.Rand, text []byte) (edits []edit.Edit) {
	at := 0
	for range 1 + random.IntN(3) {
		e := edit.Edit{Start: at + random.IntN(len(text)-at+1)}
		if random.IntN(3) > 0 {
			e.Start = lineFrom(text, e.Start)
		}
		e.End = e.Start
		switch random.IntN(4) {
		case 0:
			e.End = min(e.Start+random.IntN(4), len(text))
		case 1:
			e.End = lineFrom(text, min(e.Start+random.IntN(60), len(text)))
		}
		e.Text = randomPiece(random, text)
		edits, at = append(edits, e), e.End
	}
	return edits
}

func lineFrom(text []byte, at int) int {
	if at < len(text) {
		return lex.NextLine(text, at)
	}
	return at
}

// randomPiece returns an insertion, or lines of the text itself.
func randomPiece(random *rand.Rand, text []byte) []byte {
	if random.IntN(3) > 0 {
		return []byte(strings.Repeat(" ", 2*random.IntN(4)) + insertions[random.IntN(len(insertions))])
	}
	start := lineFrom(text, random.IntN(len(text)+1))
	return text[start:lineFrom(text, min(start+random.IntN(80), len(text)))]
}
