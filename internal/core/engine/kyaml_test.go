package engine_test

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml/kyaml"
)

// TestKYAMLStaysKYAML claims of random workloads in KYAML that the formatter finds nothing to do after an injection,
// that the last config decides, that removing gives back the first bytes, and that the result means the same as that of
// the same workload in block style.
func TestKYAMLStaysKYAML(t *testing.T) {
	var skipped atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		eachSeed(t, func(h *history, s source) {
			first, isStable := s.kyaml(h.T)
			if !isStable || decode(first) != nil { // the formatter makes strings of yes and no
				skipped.Add(1)
				return
			}
			items, w := first, s.wish("a")
			for range 2 {
				items = h.next(func(action string) string { return single(w, action) }, first, items)
				if again := formatted(h.T, items); again != items {
					h.fail("it is no longer KYAML (-as it is +formatted):\n%s\nfrom:\n%s", cmp.Diff(items, again), first)
				}
				block, _, isRefused := step(h.T, single(w, "Inject"), inBlockStyle(h.T, first))
				if diff := cmp.Diff(meaning(h.T, block), meaning(h.T, items)); diff != "" && !isRefused {
					h.fail("it means something else than in block style (-block +KYAML):\n%s", diff)
				}
				if h.failed {
					return
				}
				s.change(&w)
			}
		})
	})
	if most := int64(*seeds) / 2; skipped.Load() > most {
		t.Errorf("%d of %d texts were skipped, so that little was tried", skipped.Load(), *seeds)
	}
	t.Logf("%d of %d texts were skipped", skipped.Load(), *seeds)
}

// blankLine matches what the formatter leaves behind comments below an empty value, until there is a value.
var blankLine = regexp.MustCompile("(?m)^ *\n")

// kyaml is a file in KYAML that the formatter finds nothing to do in. It is not stable if there is none.
func (s source) kyaml(t *testing.T) (text string, isStable bool) {
	text = s.workload()
	switch s.IntN(5) {
	case 0:
		text += "---\n" + strings.ReplaceAll(text, "name: web\n", "name: other\n")
	case 1:
		text = "apiVersion: v1\nkind: List\nitems:\n-\n" + indent(text, "  ") + "- {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n"
	}
	for range 4 {
		again := formatted(t, text)
		if again == text {
			return text, !blankLine.MatchString(text)
		}
		text = again
	}
	return "", false
}

// formatted returns a text as "yamlfmt -o=kyaml" writes it.
func formatted(t *testing.T, text string) string {
	t.Helper()
	var made strings.Builder
	if err := new(kyaml.Encoder).FromYAML(strings.NewReader(text), &made); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return made.String()
}

// inBlockStyle returns a text in block style, without comments.
func inBlockStyle(t *testing.T, text string) string {
	t.Helper()
	var made strings.Builder
	encoder := yaml.NewEncoder(&made)
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for range strings.Count("\n"+text, "\n---\n") {
		var document yaml.Node
		if err := decoder.Decode(&document); err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		setBlockStyle(&document)
		if err := encoder.Encode(&document); err != nil {
			t.Fatal(err)
		}
	}
	if err := encoder.Close(); err != nil {
		t.Fatal(err)
	}
	return made.String()
}

func setBlockStyle(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	n.HeadComment = ""
	n.LineComment = ""
	n.FootComment = ""
	for _, child := range n.Content {
		setBlockStyle(child)
	}
}

// meaning returns the values in a stream of documents, without stamps, which hold texts.
func meaning(t *testing.T, text string) (documents []any) {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var document any
		if decoder.Decode(&document) != nil {
			return documents
		}
		dropStamps(document)
		documents = append(documents, document)
	}
}

func dropStamps(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if strings.HasPrefix(key, "pillion.dev/injected-") {
				delete(value, key)
			}
			dropStamps(inner)
		}
	case []any:
		for _, inner := range value {
			dropStamps(inner)
		}
	}
}
