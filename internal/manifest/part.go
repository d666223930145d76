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
	// broken says why it cannot be told what it is: it says so twice, and not the same.
	broken error
	// itemsSeen tells that the key "items" is there, with whatever value.
	itemsSeen bool
	// hasItems tells whether there is a sequence at the key "items", whose entries are members.
	hasItems bool
	members  []part
}

// document is one YAML document of the stream, outlined.
type document struct {
	part
	// empty tells that it has no content: comments, blank lines or null.
	empty bool
	// closing is what stands behind the last value of a mapping in braces, with its brace.
	closing *span
	// column is where the keys of a mapping in block style stand.
	column int
	// lead is the blank lines and comments above the last key of a mapping in block style, as
	// far as they do not belong to an item; the key's own line begins where they end.
	lead span
	// hasConfig tells that the key "functionConfig" is there, with whatever value.
	hasConfig bool
	// config is what stands at the key "functionConfig".
	config *part
	// results is the key "results" with its value.
	results *span
}

// isList reports whether the part only carries other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one configuration and stay whole.
func (p *part) isList() bool {
	if !p.hasItems || !strings.HasSuffix(p.kind, "List") || strings.HasPrefix(p.apiVersion, "pillion.dev/") {
		return false
	}
	return p.kind == "List" || p.carriesObjects()
}

// carriesObjects reports whether a typed list carries objects. Aliases of objects are refused later, and so is null, which
// keeps kubectl from none of the others.
func (p *part) carriesObjects() bool {
	carries := len(p.members) == 0
	for i := range p.members {
		switch p.members[i].found {
		case "", foundAlias:
			carries = true
		case foundNull:
		default:
			return false
		}
	}
	return carries
}

// inherit gives a member of a typed list what the API server leaves out of it.
func (p *part) inherit(list *part) {
	if list.kind == "List" || p.kind != "" || p.apiVersion != "" {
		return
	}
	p.apiVersion, p.kind = list.apiVersion, strings.TrimSuffix(list.kind, "List")
}

// leads takes down what stands above a key, which is the last one until another comes.
func (d *document) leads(above span) {
	if members := len(d.members); members > 0 {
		above.start = max(above.start, min(d.members[members-1].end, above.end))
	}
	d.lead = above
}

// isResourceList reports whether the document is a ResourceList of any version.
func (d *document) isResourceList() bool { return d.kind == "ResourceList" }
