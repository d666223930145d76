package manifest

import "strings"

// span is a range of bytes in the stream.
type span struct{ start, end int }

// part is a value in the stream that should be a Kubernetes object: where it stands and
// what it says it is.
type part struct {
	span
	apiVersion string
	kind       string
	// found says what stands there where it is not a mapping: "a string", "null".
	found string
	// odd tells that the scanner could not read what it is, and it has to be parsed for that.
	odd bool
	// hasItems tells whether there is a sequence at the key "items", whose entries are members.
	hasItems bool
	members  []part
}

// document is one YAML document of the stream, outlined.
type document struct {
	part
	// empty tells that it has no content: comments, blank lines or null.
	empty bool
	// braces is where the mapping stands if it is written in braces.
	braces *span
	// config is what stands at the key "functionConfig".
	config *part
	// results is the key "results" with its value.
	results *span
}

// isList tells whether the part only carries other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one configuration and stay whole.
func (p *part) isList() bool {
	if !p.hasItems || !strings.HasSuffix(p.kind, "List") || strings.HasPrefix(p.apiVersion, "pillion.dev/") {
		return false
	}
	return p.kind == "List" || p.membersAreMappings()
}

func (p *part) membersAreMappings() bool {
	for i := range p.members {
		if p.members[i].found != "" {
			return false
		}
	}
	return true
}

// inherit gives a member of a typed list what the API server leaves out of it.
func (p *part) inherit(list *part) {
	if list.kind == "List" || p.kind != "" || p.apiVersion != "" {
		return
	}
	p.apiVersion, p.kind = list.apiVersion, strings.TrimSuffix(list.kind, "List")
}

// isResourceList tells whether the document is a ResourceList of any version.
func (d *document) isResourceList() bool { return d.kind == "ResourceList" }
