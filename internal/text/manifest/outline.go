package manifest

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// outline finds the items of a document, or of a part of one, in its nodes.
type outline struct {
	lex.Lines // of the text that the nodes were read from
	stream    []byte
	base      int // the offset of the text in it
	lines     lineCounter
	sizes     map[*node.Node]int // the expanded sizes of anchored nodes; -1 while one is being counted
}

// newOutline returns the outline of a range that begins on a line of the stream.
func newOutline(stream []byte, at span, line int) outline {
	text := stream[at.start:at.end]
	return outline{Lines: lex.Lines{Text: text}, stream: stream, base: at.start, lines: lineCounter{text: text, breaks: line - 1}}
}

// read reads one document.
func (o *outline) read(doc *document, arena *read.Arena) {
	at := o.span(0, len(o.Text))
	doc.Item = newItem(o.stream, at)
	if root, members, ok := o.longList(); ok {
		list := document{Item: newItem(o.stream, at)}
		list.members = members
		if o.document(&list, root) == nil && list.members != nil {
			*doc = list
			return
		}
	}
	tree, err := arena.Document(o.Text)
	if err != nil {
		if doc.empty = errors.Is(err, io.EOF); !doc.empty {
			doc.err = parseError(err, o.lines.positionOf)
		}
		return
	}
	switch root := tree.Content[0]; {
	case node.IsNull(root):
		doc.empty = true
	case root.Kind != node.MappingNode:
		doc.isOther = true
		doc.err = o.isNoObject("document", describe(root), int(root.Start))
	case len(root.Content) > 0 && root.Content[0].Kind == node.MappingNode:
		doc.err = o.isNoObject("document", "an unrendered template", int(root.Start))
	default:
		doc.err = o.document(doc, root)
	}
}

// document finds the parts of a document with its mapping.
func (o *outline) document(doc *document, root *node.Node) error {
	if err := o.object(&doc.Item, root); err != nil || doc.Kind != "ResourceList" {
		return err
	}
	return o.resourceList(doc, root)
}

// object reads what is known of an object without its config, and finds its members, unless they are known.
func (o *outline) object(item *Item, m *node.Node) error {
	check := treeCheck{outline: o}
	check.identify(item, m)
	if err := o.items(item, m); err != nil {
		return err
	}
	if item.members == nil {
		item.problem = check.object(m)
	}
	return nil
}

// items finds the members of a list in the entries at the key "items".
func (o *outline) items(item *Item, m *node.Node) error {
	isList := strings.HasSuffix(item.Kind, "List")
	if isList && m.IsApproximate {
		obstacle := read.Obstacle(o.Text)
		return errorAt(o.lines.lineAt(obstacle.At), "the %s cannot be split, because it is written in a way that "+
			"cannot be followed: this line has %s; write it in another way", item.Kind, obstacle.Message)
	}
	i, items := node.Index(m, "items"), node.Get(m, "items")
	switch {
	case !isList && items == nil:
		return nil // as nearly always
	case i < 0 || m.Content[i+1].Kind != node.SequenceNode:
		item.members = nil
		return o.checkNoItems(item, m, i)
	case o.hides(item, items):
		item.Broken = cmp.Or(item.Broken, errorAt(o.lineOf(m), "kubectl reads an object with items as a list: it applies what is in the items "+
			"of this %[1]s, and not the %[1]s itself; move that to documents of its own, or remove items", cmp.Or(item.Kind, "object")))
	}
	if !item.isList(items) {
		item.members = nil
		return nil
	}
	if item.members != nil {
		return nil
	}
	item.members = make([]*Item, 0, len(items.Content))
	end := item.end()
	if i+2 < len(m.Content) {
		end = o.base + o.Start(lex.SkipSpace(o.Text, int(items.End)))
	}
	for j, entry := range items.Content {
		member, err := o.entry(items, j, end)
		if err != nil {
			return err
		}
		if err := o.member(&member, entry); err != nil {
			return err
		}
		item.members = append(item.members, &member)
	}
	return nil
}

// hides reports whether there are objects in the items of an object that is no list. kubectl reads these, and not the
// object itself. What is not sure to be a config in a list of Pillion's own is such an object.
func (o *outline) hides(item *Item, items *node.Node) bool {
	if !isOwn(item.APIVersion) {
		return !strings.HasSuffix(item.Kind, "List") && carriesObjects(items)
	}
	return slices.ContainsFunc(node.List(items), func(entry *node.Node) bool {
		var inside Item
		if entry = node.Resolve(entry); entry.Kind == node.MappingNode {
			check := treeCheck{outline: o}
			check.identify(&inside, entry)
		}
		isOther := inside.APIVersion+inside.Kind != "" && !isOwn(inside.APIVersion)
		return isOther || inside.Broken != nil || carriesObjects(node.Get(entry, "items"))
	})
}

// entry returns the range of an entry: whole lines if it has a dash, only the value in brackets. End is the end of the
// items.
func (o *outline) entry(items *node.Node, index, end int) (Item, error) {
	if n := items.Content[index]; items.Style&node.FlowStyle != 0 {
		return newItem(o.stream, o.span(int(n.Start), int(n.End))), nil
	}
	dash := o.dash(items, index)
	start := o.Start(dash)
	if o.BeginsBehind(dash) {
		return Item{}, errorAt(o.lines.lineAt(start), "this list begins behind other text on its line; begin it on a line of its own")
	}
	if index+1 < len(items.Content) {
		end = o.base + o.Start(o.dash(items, index+1))
	}
	return newItem(o.stream, span{o.base + start, end}), nil
}

// dash returns the offset of the dash of an entry.
func (o *outline) dash(items *node.Node, index int) int {
	if index > 0 {
		return lex.SkipSpace(o.Text, int(items.Content[index-1].End))
	}
	at := int(items.Start)
	for o.Text[at] == '&' || o.Text[at] == '!' {
		at = lex.SkipSpace(o.Text, lex.WordEnd(o.Text, at, false))
	}
	return at
}

// member reads an entry of the items.
func (o *outline) member(item *Item, entry *node.Node) error {
	if entry.Kind == node.AliasNode && node.Resolve(entry).Kind != node.MappingNode {
		entry = node.Resolve(entry)
	}
	if entry.Kind != node.MappingNode {
		return o.isNoObject("item", describe(entry), item.start-o.base)
	}
	return o.object(item, entry)
}

// isNoObject refuses something in the place of an object.
func (o *outline) isNoObject(what, found string, at int) error {
	return errorAt(o.lines.lineAt(at), "this %s is %s; expected a Kubernetes object, a mapping with apiVersion and kind", what, found)
}

// checkNoItems refuses an object that holds objects, by an alias, a merge key or a misspelt key, but no list at the key
// "items", because these objects would be ignored. Index is the index of the key, or -1.
func (o *outline) checkNoItems(item *Item, m *node.Node, index int) error {
	items := node.Get(m, "items")
	switch {
	case carriesObjects(items) || item.isOfAnyKind() && !node.IsNull(items):
		if index < 0 {
			return o.isMerged(item.Kind, m, "items")
		}
		return errorAt(o.lineOf(m.Content[index]), "the items of the %s are %s; expected a list", item.Kind, describe(m.Content[index+1]))
	case item.isOfAnyKind() && index < 0:
		for i := 0; i+1 < len(m.Content); i += 2 {
			if key := m.Content[i]; spelling.Nearest(key.Value, []string{"items"}) != "" {
				return errorAt(o.lineOf(key), "the %s has no items, and has the key %q; write items", item.Kind, key.Value)
			}
		}
	}
	return nil
}

func (o *outline) isMerged(kind string, m *node.Node, key string) error {
	return errorAt(o.lineOf(m), "the key %s of the %s that begins here is given by a merge key; write the key in the object itself", key, kind)
}

// resourceList finds what only a ResourceList has, and where a key can be added to it.
func (o *outline) resourceList(doc *document, root *node.Node) error {
	doc.frame = new(frame)
	for _, key := range []string{"functionConfig", "results"} {
		if node.Index(root, key) < 0 && node.Get(root, key) != nil {
			return o.isMerged(doc.Kind, root, key)
		}
	}
	doc.results, doc.noResults = o.findResults(root)
	if i := node.Index(root, "functionConfig"); i >= 0 && !node.IsNull(root.Content[i+1]) {
		config := root.Content[i+1]
		if config.Kind != node.MappingNode {
			return errorAt(o.lineOf(config), "functionConfig is %s; expected a mapping with apiVersion and kind", describe(config))
		}
		found := newItem(o.stream, o.value(config))
		found.APIVersion, found.Kind = node.Text(config, "apiVersion"), node.Text(config, "kind")
		check := treeCheck{outline: o}
		found.problem = check.object(config)
		doc.config = &found
	}
	return nil
}

// value returns the range of a mapping behind a key: whole lines in block style.
func (o *outline) value(n *node.Node) span {
	start, end := int(n.Start), int(n.End)
	if n.Style&node.FlowStyle == 0 && n.Start == n.Content[0].Start { // a tag or an anchor before it would be lost with its line
		start, end = o.Start(start), o.Behind(max(end, start+1))
	}
	return o.span(start, end)
}

// span returns a range of the document as one of the stream.
func (o *outline) span(start, end int) span { return span{o.base + start, o.base + end} }

// lineOf returns the line of a node in the document.
func (o *outline) lineOf(n *node.Node) int { return o.lines.lineAt(min(int(n.Start), len(o.Text))) }
