package pod

import (
	"slices"
	"strings"
	"unicode"

	"pillion.dev/pillion/internal/yaml/node"
)

// IsPath reports whether a path has the form a.b[].c, in which a config declares pod templates.
func IsPath(text string) bool {
	for step := range strings.SplitSeq(text, ".") {
		if !isFieldName(strings.TrimSuffix(step, "[]")) {
			return false
		}
	}
	return true
}

func isFieldName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// MaxPaths bounds the paths of pod templates that are proposed for a kind.
const MaxPaths = 10

// Search returns the paths of mappings in an object that look like pod templates, in the form in which a config declares them. The
// path is empty if the object itself looks like one. At most a number of nodes is visited, because aliases can multiply them.
func Search(object *node.Node, most int) []string {
	s := search{left: most}
	s.visit(object, "", 0)
	return s.paths
}

type search struct {
	left  int
	paths []string
}

func (s *search) visit(n *node.Node, path string, depth int) {
	const deepest, longest = 10, 253
	n = node.Resolve(n)
	s.left--
	if s.left < 0 || n == nil || n.Kind != node.MappingNode || depth > deepest || len(s.paths) == MaxPaths {
		return
	}
	if looksLikePod(n) {
		if !slices.Contains(s.paths, path) {
			s.paths = append(s.paths, path)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, node.Resolve(n.Content[i+1])
		if value == nil || len(name) > longest || !isFieldName(name) { // a long name would be copied into many paths
			continue
		}
		name = strings.TrimPrefix(path+"."+name, ".")
		if value.Kind != node.SequenceNode {
			s.visit(value, name, depth+1)
			continue
		}
		for _, entry := range value.Content {
			s.visit(entry, name+"[]", depth+1)
		}
	}
}

// looksLikePod reports whether a mapping has spec.containers, a list of mappings with a name or an image.
func looksLikePod(n *node.Node) bool {
	return slices.ContainsFunc(node.List(n, "spec", "containers"), func(container *node.Node) bool {
		return node.Text(container, "name") != "" || node.Text(container, "image") != ""
	})
}
