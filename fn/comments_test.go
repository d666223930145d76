package fn_test

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var comment = regexp.MustCompile(`(?m)(?:^|[ \t])#.*$`)

// checkComments makes sure that every comment of a workload is still there: in the file, or in a stamp
// with the text that an injector replaced.
func checkComments(t *testing.T, first, after string) {
	t.Helper()
	left := map[string]int{}
	for _, text := range append(keptTexts(t, after), after) {
		for _, found := range comment.FindAllString(text, -1) {
			left[strings.TrimSpace(found)]++
		}
	}
	for _, found := range comment.FindAllString(first, -1) {
		found = strings.TrimSpace(found)
		if left[found]--; left[found] < 0 {
			t.Errorf("the comment %q is lost in:\n%s", found, after)
		}
	}
}

// keptTexts are the texts that the stamps of a workload keep.
func keptTexts(t *testing.T, items string) (texts []string) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(items), &document); err != nil {
		t.Fatalf("%v in:\n%s", err, items)
	}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		for i, child := range n.Content {
			visit(child)
			if n.Kind == yaml.MappingNode && i%2 == 1 && strings.HasPrefix(n.Content[i-1].Value, "pillion.dev/injected-") {
				var stamp struct {
					Was map[string]map[string]string
					Cut map[string][]struct{ Text string }
				}
				if err := yaml.Unmarshal([]byte(child.Value), &stamp); err != nil {
					t.Fatal(err)
				}
				for _, was := range stamp.Was {
					for _, text := range was {
						texts = append(texts, text)
					}
				}
				for _, cut := range stamp.Cut {
					for _, entry := range cut {
						texts = append(texts, entry.Text)
					}
				}
			}
		}
	}
	visit(&document)
	return texts
}
