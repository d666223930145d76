package manifest

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// span is a range of bytes in the stream.
type span struct{ start, end int }

// part is the range of a value in the stream that should be a Kubernetes object, with its apiVersion and kind.
type part struct {
	span
	apiVersion string
	kind       string
	name       string // from its metadata
	line       int    // the number of its first line in the stream, if that was counted; then it begins that line
	// found describes the value if it is not a mapping: "a string", "null".
	found string
	// broken is the reason why apiVersion and kind are not certain, or nil. Problem is what else is ambiguous or too large in it.
	broken, problem error
	// hasItems is set if there is a list at the key "items". Its entries are the members.
	hasItems bool
	members  []*part
	visited  any // see Item
}

// moveErrors moves the errors of the part and its members so many lines further down.
func (p *part) moveErrors(lines int) {
	p.broken, p.problem = moved(p.broken, lines), moved(p.problem, lines)
	for _, member := range p.members {
		member.moveErrors(lines)
	}
}

// item returns the item that the part of a stream is, given its position there.
func (p *part) item(stream []byte, line, column int) Item {
	return Item{
		APIVersion: p.apiVersion, Kind: p.kind, Name: p.name, Broken: p.broken, problem: p.problem,
		Text: stream[p.start:p.end:p.end], Line: line, Column: column, Visited: p.visited,
		stream: stream, start: p.start,
	}
}

// document is one YAML document of the stream.
type document struct {
	part
	// empty is set if it has no content but comments, blank lines or null.
	empty bool
	// frame is what only a ResourceList has.
	*frame
}

// frame is what is around the items of a ResourceList.
type frame struct {
	// closing is the range behind the last value of a mapping in braces, with the closing brace.
	closing *span
	// column is the column of the keys of a mapping in block style.
	column int
	// lead is the range of the blank lines and comments above the last key of a mapping in block style, as
	// far as they do not belong to an item. The key's own line begins where they end.
	lead span
	// config is the value of the key "functionConfig".
	config *part
	// results is the range of the key "results" with its value.
	results *span
}

// isList reports whether the part only holds other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one config and are not split.
func (p *part) isList() bool {
	if !p.hasItems || !strings.HasSuffix(p.kind, "List") || p.isConfig() {
		return false
	}
	return p.kind == "List" || len(p.members) == 0 || p.carriesObjects()
}

// isConfig reports whether the part is a kind of Pillion's own.
func (p *part) isConfig() bool { return strings.HasPrefix(p.apiVersion, "pillion.dev/") }

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
		return p.isConfig() && m.isConfig() && m.broken == nil && !m.carriesObjects()
	})
}

// mayCarry reports whether an object with these items is a list of objects, or is meant to be one.
func (p *part) mayCarry(items *node.Node) bool {
	if p.kind == "List" || p.kind == "ResourceList" {
		return !node.IsNull(items)
	}
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool { return entry.Kind == node.MappingNode })
}

// inherit gives a member of a typed list its apiVersion and kind, which the API server leaves out.
func (p *part) inherit(list *part) {
	if list.kind == "List" || p.kind != "" || p.apiVersion != "" {
		return
	}
	p.apiVersion, p.kind = list.apiVersion, strings.TrimSuffix(list.kind, "List")
}

// leads records the lines above the last key.
func (d *document) leads(above span) {
	if members := len(d.members); members > 0 && d.members[members-1].end <= above.end {
		above.start = max(above.start, d.members[members-1].end)
	}
	d.lead = above
}
