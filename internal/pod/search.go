package pod

import (
	"iter"
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

// Found is a part of an object that looks like a pod.
type Found struct {
	// Path leads to the pod template, in the form in which a config declares it. Of a bare pod spec, it leads to the
	// containers.
	Path string
	// Node is the pod template, or the bare pod spec.
	Node *node.Node
	// IsBare is whether it is a pod spec without a template around it.
	IsBare bool
}

// CanBeDeclared reports whether a config can declare it.
func (f Found) CanBeDeclared() bool { return !f.IsBare && IsPath(f.Path) }

// Search returns the parts of an object that look like pods. At most a number of nodes is visited, because aliases can
// multiply them.
func Search(object *node.Node, most int) iter.Seq[Found] {
	return func(yield func(Found) bool) {
		s := search{left: most, yield: yield}
		s.visit(object)
	}
}

type search struct {
	left  int
	steps []step // to the node that is visited
	yield func(Found) bool
}

// step leads to a field of a mapping, or to any entry of a list.
type step struct {
	name    string
	isEntry bool
}

// visit searches a node, and returns false if the search is to end.
func (s *search) visit(n *node.Node) bool {
	n = node.Resolve(n)
	s.left--
	if n == nil || s.left < 0 {
		return s.left >= 0
	}
	switch n.Kind {
	case node.SequenceNode:
		for _, entry := range n.Content {
			if !s.visitAt(step{isEntry: true}, entry) {
				return false
			}
		}
	case node.MappingNode:
		return s.visitMapping(n)
	}
	return true
}

func (s *search) visitMapping(n *node.Node) bool {
	isObject := len(s.steps) == 0 // which no config can declare as a pod template, so that its spec is a bare one
	if !isObject && looksLikeContainers(node.List(n, "spec", Main)) {
		return s.yield(Found{Path: pathOf(s.steps), Node: n})
	}
	if looksLikeContainers(node.List(n, Main)) {
		list := append(s.steps, step{name: Main})
		if !s.yield(Found{Path: pathOf(list), Node: n, IsBare: true}) {
			return false
		}
	}
	for name, value := range node.Fields(n) {
		if !s.visitAt(step{name: name}, value) {
			return false
		}
	}
	return true
}

func (s *search) visitAt(to step, n *node.Node) bool {
	s.steps = append(s.steps, to)
	goesOn := s.visit(n)
	s.steps = s.steps[:len(s.steps)-1]
	return goesOn
}

// pathOf returns the path that steps lead along, up to a length. A name that no declared path can have is in brackets.
func pathOf(steps []step) string {
	const longest = 253
	path := ""
	for _, step := range steps {
		switch {
		case len(path)+len(step.name) > longest:
			return path + "..."
		case step.isEntry:
			path += "[]"
		case !isFieldName(step.name):
			path += "[" + step.name + "]"
		case path == "":
			path = step.name
		default:
			path += "." + step.name
		}
	}
	return path
}

// looksLikeContainers reports whether a list has a mapping with a name or an image.
func looksLikeContainers(list []*node.Node) bool {
	return slices.ContainsFunc(list, func(container *node.Node) bool {
		return node.Text(container, "name") != "" || node.Text(container, "image") != ""
	})
}
