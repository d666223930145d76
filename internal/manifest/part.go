package manifest

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// span is a range of bytes in the stream.
type span struct{ start, end int }

// part is a value in the stream that should be a Kubernetes object. Its line is 0 until it is counted.
type part struct {
	Item
	// members are the objects in a list, or nil if the part is no list.
	members []*part
}

func newPart(stream []byte, at span) part {
	return part{Item: Item{Text: stream[at.start:at.end:at.end], stream: stream, start: at.start}}
}

func (p *part) end() int { return p.start + len(p.Text) }

// moveErrors moves the errors of the part and its members so many lines further down.
func (p *part) moveErrors(lines int) {
	p.Broken, p.problem = moved(p.Broken, lines), moved(p.problem, lines)
	for _, member := range p.members {
		member.moveErrors(lines)
	}
}

// document is one YAML document of the stream.
type document struct {
	part
	// empty is set if it has no content but comments, blank lines or null, and err if it cannot be read.
	empty bool
	err   error
	// frame is what only a ResourceList has.
	*frame
}

// frame is what is around the items of a ResourceList.
type frame struct {
	// config is the value of the key "functionConfig".
	config *part
	// place is where results go, and misplaced the reason why there is none.
	place     ResultsPlace
	misplaced error
}

// isList reports whether the part with these items only holds other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one config and are not split.
func (p *part) isList(items *node.Node) bool {
	if !strings.HasSuffix(p.Kind, "List") || isOwn(p.APIVersion) {
		return false
	}
	return p.Kind == "List" || p.Kind == "ResourceList" || len(p.members) > 0 || len(items.Content) == 0 || carriesObjects(items)
}

// isOwn reports whether an apiVersion is one of Pillion's own.
func isOwn(apiVersion string) bool { return strings.HasPrefix(apiVersion, "pillion.dev/") }

// carriesObjects reports whether there are objects among items. Null counts too, because it has no other use in a list.
func carriesObjects(items *node.Node) bool {
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool {
		return node.IsNull(entry) || node.Resolve(entry).Kind == node.MappingNode
	})
}

// hides reports whether there are objects in the items of a part that is no list. kubectl reads these objects, and not the part itself.
func (p *part) hides(items *node.Node) bool {
	if !isOwn(p.APIVersion) {
		return !strings.HasSuffix(p.Kind, "List") && carriesObjects(items)
	}
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool {
		version := node.Text(entry, "apiVersion")
		return version != "" && !isOwn(version) || carriesObjects(node.Get(entry, "items"))
	})
}

// inherit gives a member of a typed list its apiVersion and kind, which the API server leaves out.
func (p *part) inherit(list *part) {
	if list.Kind == "List" || p.Kind != "" || p.APIVersion != "" {
		return
	}
	p.APIVersion, p.Kind = list.APIVersion, strings.TrimSuffix(list.Kind, "List")
}
