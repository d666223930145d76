package version_test

import (
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// isPlain reports whether a document has no aliases and merge keys, and no key twice.
func isPlain(n *node.Node) bool {
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == node.MappingNode && i%2 == 0 {
			if child.Tag == node.MergeTag || child.Kind != node.ScalarNode || seen[child.Value] {
				return false
			}
			seen[child.Value] = true
		}
		if child.Kind == node.AliasNode || !isPlain(child) {
			return false
		}
	}
	return true
}

// changesIn returns the places at which two versions of a pod template differ, as far down as both have something.
func changesIn(path string, before, after *node.Node) []string {
	switch {
	case node.Equal(before, after), isNothing(before) && isNothing(after):
		return nil
	case isNothing(before):
		return appeared(path, after)
	case before.Kind == node.ScalarNode:
		return []string{path}
	case isNothing(after):
		after = &node.Node{Kind: before.Kind} // what becomes empty goes
	case before.Kind != after.Kind:
		return []string{path}
	}
	var all []string
	is, was := byKey(path, after), byKey(path, before)
	for key, values := range was {
		others := is[key]
		for i := range max(len(values), len(others)) {
			all = append(all, changesIn(path+"/"+escape(key), at(values, i), at(others, i))...)
		}
	}
	for key, values := range is {
		if was[key] == nil {
			all = append(all, appeared(path+"/"+escape(key), values[0])...)
		}
	}
	return all
}

// appeared returns the places of what was not there before. A list has the places of its entries, and metadata those of
// labels and annotations.
func appeared(path string, n *node.Node) []string {
	isMetadata := path == "/metadata" || path == "/metadata/labels" || path == "/metadata/annotations"
	if n.Kind != node.SequenceNode && !isMetadata {
		return []string{path}
	}
	var all []string
	for key, values := range byKey(path, n) {
		if place := path + "/" + escape(key); isMetadata {
			all = append(all, appeared(place, values[0])...)
		} else {
			all = append(all, place)
		}
	}
	return all
}

func isNothing(n *node.Node) bool {
	return node.IsNull(n) || n.Kind != node.ScalarNode && len(n.Content) == 0
}

func at(values []*node.Node, i int) *node.Node {
	if i < len(values) {
		return values[i]
	}
	return nil
}

func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// byKey returns the values of a mapping, or the entries of a list.
func byKey(path string, n *node.Node) map[string][]*node.Node {
	all := map[string][]*node.Node{}
	for i, child := range n.Content {
		switch {
		case n.Kind == node.SequenceNode:
			key := stamp.KeyOf(strings.TrimPrefix(path, "/"), child)
			all[key] = append(all[key], child)
		case i%2 == 1 && !isNothing(child):
			all[n.Content[i-1].Value] = append(all[n.Content[i-1].Value], child)
		}
	}
	return all
}

// named is the places that a stamp, or what was restored from it, names.
type named map[string]bool

func namesOf(s *stamp.Stamp) named {
	all := named{"/metadata/annotations/" + escape(stamp.Key("envoy")): true}
	for _, t := range s.Addresses() {
		all["/"+t.Path+"/"+escape(t.Key)] = true
	}
	for _, r := range s.Originals() {
		all["/"+r.Path+"/"+escape(r.Key)] = true
	}
	return all
}

// explain reports whether a place, or one above it, is named. The value of a variable is, if a part of it is.
func (n named) explain(place string) bool {
	for path := place; path != ""; path = path[:strings.LastIndexByte(path, '/')] {
		if n[path] {
			return true
		}
	}
	isText := strings.Contains(place, "/env/") && strings.HasSuffix(place, "/value")
	for path := range n {
		if isText && strings.HasPrefix(path, place+"/") {
			return true
		}
	}
	return false
}
