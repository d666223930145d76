package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"

	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// outline finds the parts of a document in its nodes. Lines in its errors count from the start of the text.
type outline struct {
	stream []byte
	text   []byte // that the nodes were read from
	base   int    // its offset in the stream
	lines  lineCounter
	sizes  map[*node.Node]int // of anchored nodes, see treeCheck
	// isInside is set for what is in the items of an object that is no list. It is no item.
	isInside bool
}

func newOutline(stream []byte, at span) outline {
	text := stream[at.start:at.end]
	return outline{stream: stream, text: text, base: at.start, lines: lineCounter{text: text}}
}

// readDocument reads one document. The lines in its errors and those of its parts count from its start.
func readDocument(stream []byte, at span, arena *read.Arena, visit Visitor) (document, error) {
	o := newOutline(stream, at)
	doc := document{part: newPart(stream, at)}
	if root, members, ok := o.longList(visit); ok {
		list := document{part: newPart(stream, at)}
		list.members = members
		if o.document(&list, root) == nil && list.isList() {
			return list, nil
		}
	}
	tree, err := parseIn(arena, o.text, 1)
	if errors.Is(err, io.EOF) || err == nil && node.IsNull(tree.Content[0]) {
		doc.empty = true
		return doc, nil
	}
	if err != nil {
		return doc, err
	}
	root := tree.Content[0]
	switch {
	case root.Kind != node.MappingNode:
		doc.found = describe(root)
		doc.start += int(root.Start)
		return doc, nil
	case len(root.Content) > 0 && root.Content[0].Kind == node.MappingNode:
		doc.found = "an unrendered template"
		return doc, nil
	}
	err = o.document(&doc, root)
	return doc, err
}

// document finds the parts of a document with its mapping.
func (o *outline) document(doc *document, root *node.Node) error {
	if err := o.object(&doc.part, root); err != nil || doc.Kind != "ResourceList" {
		return err
	}
	return o.resourceList(doc, root)
}

// object reads what is known of an object without its config, and finds its members, unless they are known.
func (o *outline) object(p *part, m *node.Node) error {
	check := treeCheck{lines: o.lines, line: 1, sizes: o.sizes}
	check.identify(p, m)
	if strings.HasSuffix(p.Kind, "List") || !node.IsNull(node.Get(m, "items")) {
		if err := cmp.Or(check.listKeys(p.Kind, m), o.checkRange(p, m)); err != nil {
			return err
		}
		if err := o.items(p, m); err != nil {
			return err
		}
	}
	if !o.isInside && !p.isList() {
		p.problem = check.object(m)
	}
	o.lines, o.sizes = check.lines, check.sizes
	return nil
}

// checkRange refuses a list whose range in the text is not known.
func (o *outline) checkRange(p *part, m *node.Node) error {
	if !m.IsApproximate() {
		return nil
	}
	return errorAt(o.lineOf(m), "the %s that begins here cannot be split, because it is written in a way that cannot be followed, such as "+
		"by an anchor before a key, or text of several lines without quotes in brackets; format it anew", cmp.Or(p.Kind, "list"))
}

// items finds the entries at the key "items".
func (o *outline) items(p *part, m *node.Node) error {
	i := node.Index(m, "items")
	if i < 0 || m.Content[i+1].Kind != node.SequenceNode {
		return cmp.Or(o.checkNoItems(p, m, i), o.checkItemsKey(p, m))
	}
	items := m.Content[i+1]
	if p.members == nil {
		p.members = make([]*part, 0, len(items.Content))
	}
	end := p.end()
	if i+2 < len(m.Content) {
		end = o.base + o.lineStart(o.keyStart(m, i+2))
	}
	defer func(was bool) { o.isInside = was }(o.isInside)
	o.isInside = o.isInside || !strings.HasSuffix(p.Kind, "List") || p.isConfig()
	for j, entry := range items.Content {
		member, err := o.entry(items, j, end)
		if err != nil {
			return err
		}
		if err := o.member(&member, entry); err != nil {
			return err
		}
		p.members = append(p.members, &member)
	}
	return nil
}

// entry returns the range of an entry: whole lines if it has a dash, only the value in brackets. End is the end of the items.
func (o *outline) entry(items *node.Node, index, end int) (part, error) {
	if n := items.Content[index]; items.Style&node.FlowStyle != 0 {
		return newPart(o.stream, span{o.base + int(n.Start), o.base + int(n.End)}), nil
	}
	dash := o.dash(items, index)
	start := o.lineStart(dash)
	if len(bytes.TrimLeft(o.text[start:dash], " ")) > 0 {
		return part{}, errorAt(o.lines.lineAt(start), "this list begins behind other text on its line; begin it on a line of its own")
	}
	if index+1 < len(items.Content) {
		end = o.base + o.lineStart(o.dash(items, index+1))
	}
	return newPart(o.stream, span{o.base + start, end}), nil
}

// dash returns the offset of the dash of an entry.
func (o *outline) dash(items *node.Node, index int) int {
	if index > 0 {
		return lex.SkipSpace(o.text, int(items.Content[index-1].End))
	}
	at := int(items.Start)
	for o.text[at] == '&' || o.text[at] == '!' {
		at = lex.SkipSpace(o.text, lex.WordEnd(o.text, at, false))
	}
	return at
}

// member reads an entry of the items.
func (o *outline) member(p *part, entry *node.Node) error {
	if entry.Kind == node.AliasNode && node.Resolve(entry).Kind != node.MappingNode {
		entry = node.Resolve(entry)
	}
	if entry.Kind != node.MappingNode {
		p.found = describe(entry)
		return nil
	}
	return o.object(p, entry)
}

// checkNoItems refuses an object that holds objects, by an alias or a merge key, but no list at the key "items", because these
// objects would be ignored. Index is the index of the key, or -1.
func (o *outline) checkNoItems(p *part, m *node.Node, index int) error {
	items := node.Get(m, "items")
	if !p.mayCarry(items) {
		return nil
	}
	if index < 0 {
		return o.isMerged(p.Kind, m, "items")
	}
	return errorAt(o.lineOf(m.Content[index]), "the items of the %s are %s; expected a list", p.Kind, describe(m.Content[index+1]))
}

func (o *outline) isMerged(kind string, m *node.Node, key string) error {
	return errorAt(o.lineOf(m), "the key %s of the %s that begins here is given by a merge key; write the key in the object itself", key, kind)
}

// checkItemsKey refuses a ResourceList or a List without items and with a key that is almost "items", because its objects would
// be ignored.
func (o *outline) checkItemsKey(p *part, m *node.Node) error {
	if p.Kind != "ResourceList" && (p.Kind != "List" || p.APIVersion != "v1") || node.Index(m, "items") >= 0 {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i]; spelling.Nearest(key.Value, []string{"items"}) != "" {
			return errorAt(o.lineOf(key), "the %s has no items, and has the key %q; write items", p.Kind, key.Value)
		}
	}
	return nil
}

// resourceList finds what only a ResourceList has, and where a key can be added to it.
func (o *outline) resourceList(doc *document, root *node.Node) error {
	doc.frame = new(frame)
	for _, key := range []string{"functionConfig", "results"} {
		if node.Index(root, key) < 0 && node.Get(root, key) != nil {
			return o.isMerged(doc.Kind, root, key)
		}
	}
	o.edges(doc, root)
	if i := node.Index(root, "functionConfig"); i >= 0 && !node.IsNull(root.Content[i+1]) {
		config := root.Content[i+1]
		found := newPart(o.stream, o.value(config))
		doc.config = &found
		doc.config.APIVersion, doc.config.Kind = node.Text(config, "apiVersion"), node.Text(config, "kind")
		if config.Kind != node.MappingNode {
			doc.config.found = describe(config)
		} else {
			check := treeCheck{lines: o.lines, line: 1}
			doc.config.problem = check.object(config)
		}
	}
	if i := node.Index(root, "results"); i >= 0 {
		start, end := o.keyStart(root, i), int(root.Content[i+1].End)
		if doc.closing == nil {
			start, end = o.lineStart(start), o.lineBehind(end)
		}
		doc.results = &span{o.base + start, o.base + end}
	}
	return nil
}

// edges finds where a key can be added to a document's mapping.
func (o *outline) edges(doc *document, root *node.Node) {
	last := len(root.Content) - 2
	if root.Style&node.FlowStyle != 0 {
		doc.closing = &span{o.base + int(root.Content[last+1].End), o.base + int(root.End)}
		return
	}
	key := o.keyStart(root, last)
	doc.column = key - o.lineStart(key)
}

// value returns the range of the value behind a key: whole lines of a mapping in block style.
func (o *outline) value(n *node.Node) span {
	start, end := int(n.Start), int(n.End)
	// A tag or an anchor before it would be lost with its line.
	isBlock := n.Kind == node.MappingNode && n.Style&node.FlowStyle == 0 && n.Start == n.Content[0].Start
	if isBlock {
		start, end = o.lineStart(start), o.lineBehind(max(end, start+1))
	}
	return span{o.base + start, o.base + end}
}

// keyStart returns the offset of a key of a mapping, or of the question mark before it, by its index in Content.
func (o *outline) keyStart(m *node.Node, index int) int {
	if index == 0 {
		return int(m.Content[0].Start)
	}
	at := lex.SkipSpace(o.text, int(m.Content[index-1].End))
	if m.Style&node.FlowStyle != 0 && o.text[at] == ',' {
		at = lex.SkipSpace(o.text, at+1)
	}
	return at
}

// lineOf returns the line of a node in the document.
func (o *outline) lineOf(n *node.Node) int { return o.lines.lineAt(int(n.Start)) }

// lineStart returns the offset at which the line of an offset begins.
func (o *outline) lineStart(offset int) int { return 1 + bytes.LastIndexByte(o.text[:offset], '\n') }

// lineBehind returns the first line behind a node that ends at the offset. A block scalar ends where that line begins.
func (o *outline) lineBehind(end int) int {
	if end > 0 && o.text[end-1] == '\n' {
		return end
	}
	return lex.NextLine(o.text, end)
}
