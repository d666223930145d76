package pod

import (
	"iter"
	"reflect"
	"slices"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// IsPath reports whether a path has the form a.b[].c, in which a config declares pod templates. It does not lead
// through a list of a pod, because injections move the entries of that.
func IsPath(text string) bool {
	for step := range strings.SplitSeq(text, ".") {
		name, isList := strings.CutSuffix(step, "[]")
		if !isFieldName(name) || isList && Element(Type(reflect.TypeFor[corev1.PodSpec](), name)) != nil {
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
	// Path leads to the pod template, or to the bare pod spec, in the form in which a config declares it.
	Path string
	// Node is the pod template, or the bare pod spec.
	Node *node.Node
	// IsBare is whether it is a pod spec without a template around it.
	IsBare bool
}

// CanBeDeclared reports whether a config can declare it.
func (f Found) CanBeDeclared() bool { return IsPath(f.Path) }

// Search returns the parts of an object that look like pods. At most a number of nodes is visited, because aliases can
// multiply them.
func Search(object *node.Node, most int) iter.Seq[Found] {
	return func(yield func(Found) bool) {
		s := search{left: most, yield: yield}
		s.visit(object, "")
	}
}

type search struct {
	left  int
	yield func(Found) bool
}

// visit searches the node at a path, and returns false if the search is to end.
func (s *search) visit(n *node.Node, path string) bool {
	n = node.Resolve(n)
	s.left--
	if n == nil || s.left < 0 {
		return s.left >= 0
	}
	if n.Kind == node.SequenceNode {
		for _, entry := range n.Content {
			if !s.visit(entry, path+"[]") {
				return false
			}
		}
		return true
	}
	isTemplate, isBare := false, false
	for name, value := range entries(n) {
		isTemplate = isTemplate || name == "spec" && hasContainers(value)
		isBare = isBare || name == Main && looksLikeContainers(value)
	}
	isObject := path == "" // which no config can declare as a pod template, so that its spec is a bare one
	if !isObject && isTemplate {
		return s.yield(Found{Path: path, Node: n})
	}
	if isBare && !s.yield(Found{Path: path, Node: n, IsBare: true}) {
		return false
	}
	for name, value := range entries(n) {
		if !s.visit(value, fieldPath(path, name)) {
			return false
		}
	}
	return true
}

// entries iterates over all that a mapping and its merge keys have, with the keys that kubectl reads: also those that
// are there twice, that are aliases, or that are encoded.
func entries(m *node.Node) iter.Seq2[string, *node.Node] {
	return func(yield func(name string, value *node.Node) bool) {
		for _, from := range append([]*node.Node{m}, node.Sources(m)...) {
			for i := 0; i+1 < len(from.Content) && from.Kind == node.MappingNode; i += 2 {
				key := node.Resolve(from.Content[i])
				name, _ := node.KeyName(key)
				if key.Tag != node.MergeTag && !yield(name, node.Resolve(from.Content[i+1])) {
					return
				}
			}
		}
	}
}

// hasContainers reports whether a pod spec has what looks like containers.
func hasContainers(spec *node.Node) bool {
	for name, value := range entries(spec) {
		if name == Main && looksLikeContainers(value) {
			return true
		}
	}
	return false
}

// fieldPath returns the path of a field, up to a length. A name that no declared path can have is in brackets.
func fieldPath(path, name string) string {
	const longest = 253
	switch {
	case len(path)+len(name) > longest:
		return strings.TrimSuffix(path, "...") + "..."
	case !isFieldName(name):
		return path + "[" + name + "]"
	}
	return node.Join(path, name)
}

// looksLikeContainers reports whether a list has a mapping with a name or an image.
func looksLikeContainers(list *node.Node) bool {
	return slices.ContainsFunc(node.List(list), func(container *node.Node) bool {
		for name, value := range entries(container) {
			if (name == "name" || name == "image") && node.Text(value) != "" {
				return true
			}
		}
		return false
	})
}
