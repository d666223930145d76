package manifest

import (
	"slices"
	"strings"
)

// span is a range of bytes in the stream.
type span struct{ start, end int }

// part is the range of a value in the stream that should be a Kubernetes object, with its apiVersion and kind.
type part struct {
	span
	apiVersion string
	kind       string
	// found describes the value if it is not a mapping: "a string", "null".
	found string
	// unclear is set if the scanner could not read the kind, and the part has to be parsed.
	unclear bool
	// broken is the reason why apiVersion and kind are not certain, or nil.
	broken error
	// itemsSeen is set if the key "items" is there, with any value.
	itemsSeen bool
	// hasItems is set if there is a list at the key "items". Its entries are the members.
	hasItems bool
	members  []part
}

// document is one YAML document of the stream, outlined.
type document struct {
	part
	// empty is set if it has no content but comments, blank lines or null.
	empty bool
	// closing is the range behind the last value of a mapping in braces, with the closing brace.
	closing *span
	// column is the column of the keys of a mapping in block style.
	column int
	// lead is the range of the blank lines and comments above the last key of a mapping in block style, as
	// far as they do not belong to an item. The key's own line begins where they end.
	lead span
	// hasConfig is set if the key "functionConfig" is there, with any value.
	hasConfig bool
	// config is the value of the key "functionConfig".
	config *part
	// results is the range of the key "results" with its value.
	results *span
}

// set gives apiVersion or kind a value. If it has one already, the part is unclear.
func (p *part) set(field *string, value string) {
	p.unclear = p.unclear || *field != ""
	*field = value
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
	return slices.ContainsFunc(p.members, func(m part) bool { return m.found == "" || m.found == foundAlias || m.found == foundNull })
}

// hidden returns the objects in the items of a part that is no list. kubectl reads these objects, and not the part itself.
func (p *part) hidden() []part {
	if !p.carriesObjects() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.members), func(m part) bool {
		return p.isConfig() && m.isConfig() && m.broken == nil && !m.carriesObjects()
	})
}

// inherit gives a member of a typed list its apiVersion and kind, which the API server leaves out.
func (p *part) inherit(list *part) {
	if list.kind == "List" || p.kind != "" || p.apiVersion != "" {
		return
	}
	p.apiVersion, p.kind = list.apiVersion, strings.TrimSuffix(list.kind, "List")
}

// leads records the lines above a key, which is the last one until another comes.
func (d *document) leads(above span) {
	if members := len(d.members); members > 0 {
		above.start = max(above.start, min(d.members[members-1].end, above.end))
	}
	d.lead = above
}

// isResourceList reports whether the document is a ResourceList of any version.
func (d *document) isResourceList() bool { return d.kind == "ResourceList" }
