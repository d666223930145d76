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
	// found describes the value if it is not a mapping: "a string", "null".
	found string
	// members are the entries of the list at the key "items", or nil if there is none.
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

// isList reports whether the part only holds other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one config and are not split.
func (p *part) isList() bool {
	if p.members == nil || !strings.HasSuffix(p.Kind, "List") || p.isConfig() {
		return false
	}
	return p.Kind == "List" || len(p.members) == 0 || p.carriesObjects()
}

// isConfig reports whether the part is a kind of Pillion's own.
func (p *part) isConfig() bool { return strings.HasPrefix(p.APIVersion, "pillion.dev/") }

// carriesObjects reports whether there are objects in the items of the part. Aliases and null are refused later.
func (p *part) carriesObjects() bool {
	return slices.ContainsFunc(p.members, func(m *part) bool { return m.found == "" || m.found == foundAlias || m.found == foundNull })
}

// hidden returns the objects in the items of a part that is no list. kubectl reads these objects, and not the part itself.
func (p *part) hidden() []*part {
	if !p.carriesObjects() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.members), func(m *part) bool {
		return p.isConfig() && m.isConfig() && m.Broken == nil && !m.carriesObjects()
	})
}

// mayCarry reports whether an object with these items is a list of objects, or is meant to be one.
func (p *part) mayCarry(items *node.Node) bool {
	if p.Kind == "List" || p.Kind == "ResourceList" {
		return !node.IsNull(items)
	}
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool { return entry.Kind == node.MappingNode })
}

// inherit gives a member of a typed list its apiVersion and kind, which the API server leaves out.
func (p *part) inherit(list *part) {
	if list.Kind == "List" || p.Kind != "" || p.APIVersion != "" {
		return
	}
	p.APIVersion, p.Kind = list.APIVersion, strings.TrimSuffix(list.Kind, "List")
}
