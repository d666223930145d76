package manifest

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// span is a range of bytes in the stream.
type span struct{ start, end int }

// newItem returns the item with a range of the stream. Its line is 0 until it is counted.
func newItem(stream []byte, at span) Item {
	return Item{Text: stream[at.start:at.end:at.end], stream: stream, start: at.start}
}

func (i *Item) end() int { return i.start + len(i.Text) }

// document is one YAML document of the stream.
type document struct {
	Item
	// empty is set if it has no content but comments, blank lines or null, and err if it cannot be read.
	empty bool
	err   error
	// isOther is set with err if the document is a list or a value, as a JSON patch is, and no object.
	isOther bool
	// frame is what only a ResourceList has.
	*frame
}

// frame is what is around the items of a ResourceList.
type frame struct {
	// config is the value of the key "functionConfig".
	config *Item
	// results is where results go, and noResults the reason why there is none.
	results   ResultsPosition
	noResults error
}

// isList reports whether the item with these items only holds other objects: a List, or a typed list such as
// a DeploymentList. Pillion's own lists are one config and are not split.
func (i *Item) isList(items *node.Node) bool {
	if !strings.HasSuffix(i.Kind, "List") || isOwn(i.APIVersion) {
		return false
	}
	return i.isOfAnyKind() || len(items.Content) == 0 || carriesObjects(items)
}

// isOfAnyKind reports whether the objects in a list say themselves what they are.
func (i *Item) isOfAnyKind() bool { return i.Kind == "List" || i.Kind == "ResourceList" }

// isOwn reports whether an apiVersion is one of Pillion's own.
func isOwn(apiVersion string) bool { return strings.HasPrefix(apiVersion, "pillion.dev/") }

// carriesObjects reports whether there are objects among items. Null counts too, because it has no other use in a list.
func carriesObjects(items *node.Node) bool {
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool {
		return node.IsNull(entry) || node.Resolve(entry).Kind == node.MappingNode
	})
}

// inherit gives a member of a list what the list says about it: a typed list its apiVersion and kind, which the API
// server leaves out.
func (i *Item) inherit(list *Item) {
	i.IsEncrypted = i.IsEncrypted || list.IsEncrypted
	if list.isOfAnyKind() || i.Kind != "" || i.APIVersion != "" {
		return
	}
	i.APIVersion, i.Kind = list.APIVersion, strings.TrimSuffix(list.Kind, "List")
}
