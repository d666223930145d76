package selection

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/internal/yaml/node"
)

// labelSet is the labels of an object, as selectors read them. It does not copy them, because each of a hundred injectors looks
// at one or two.
type labelSet struct {
	mapping *yaml.Node
	values  node.Lookup
}

func newLabelSet(mapping *yaml.Node) labelSet { return labelSet{mapping, node.Values(mapping)} }

// Has reports whether there is a label.
func (s *labelSet) Has(label string) bool { return s.values.Get(label) != nil }

// Get returns the value of a label.
func (s *labelSet) Get(label string) string { return node.Text(s.values.Get(label)) }

// Lookup returns the value of a label, and whether there is one.
func (s *labelSet) Lookup(label string) (value string, exists bool) {
	n := s.values.Get(label)
	return node.Text(n), n != nil
}

func (s *labelSet) isEmpty() bool { return len(node.Map(s.mapping)) == 0 }

// String returns the labels as a message shows them.
func (s *labelSet) String() string {
	set := labels.Set(node.Map(s.mapping))
	if len(set) == 0 {
		return "none"
	}
	const most = 200
	if text := set.String(); len(text) <= most {
		return text
	}
	return fmt.Sprintf("%d of them", len(set))
}

// addTo adds the labels to others, each as key=value.
func (s *labelSet) addTo(all map[string]bool) {
	for key, value := range node.Fields(s.mapping) {
		all[key+"="+node.Text(value)] = true
	}
}
