package manifest

import (
	"errors"
	"io"
	"strings"

	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
)

// nodeOutline outlines a document by parsing it. It is slower than the scanner, and understands all text.
type nodeOutline struct {
	text []byte
	base int
	line int
	*extent.Map
}

func (r *reader) outlineNodes(at span) (*document, error) {
	o := nodeOutline{text: r.text[at.start:at.end], base: at.start, line: r.lineAt(at.start)}
	doc := &document{part: part{span: at}}
	tree, err := parseOne(o.text, o.line)
	if errors.Is(err, io.EOF) {
		doc.empty = true
		return doc, nil
	}
	if err != nil {
		return nil, err
	}
	root := tree.Content[0]
	if node.IsNull(root) {
		doc.empty = true
		return doc, nil
	}
	if root.Kind != node.MappingNode {
		doc.found = describe(root)
		doc.start += int(root.Start)
		return doc, nil
	}
	if len(root.Content) > 0 && root.Content[0].Kind == node.MappingNode {
		doc.found = "an unrendered template"
		return doc, nil
	}
	check := treeCheck{text: o.text, line: o.line}
	if err := check.limits(root); err != nil {
		return nil, err
	}
	check.identify(&doc.part, root)
	if !mayBeList(&doc.part, root) {
		return doc, nil
	}
	if err := check.listKeys(doc.kind, root); err != nil {
		return nil, err
	}
	if o.Map, err = extent.Find(o.text, tree, nil); err != nil {
		return nil, errorAt(o.line, "the %s that begins here cannot be split: %w", doc.kind, err)
	}
	if err := o.members(&doc.part, root, at.end); err != nil {
		return nil, err
	}
	o.edges(doc, root)
	return doc, o.resourceList(doc, root)
}

// lineOf returns the line of a node in the stream.
func (o *nodeOutline) lineOf(n *node.Node) int { return o.line + lineAt(o.text, int(n.Start)) - 1 }

// mayBeList reports whether an object is a list by its kind or by its items.
func mayBeList(p *part, object *node.Node) bool {
	return strings.HasSuffix(p.kind, "List") || !node.IsNull(node.Get(object, "items"))
}

// edges finds where a key can be added to a document's mapping.
func (o *nodeOutline) edges(doc *document, root *node.Node) {
	last := len(root.Content) - 2
	if root.Style&node.FlowStyle != 0 {
		doc.closing = &span{o.base + o.Get(root.Content[last+1]).End, o.base + o.Get(root).End}
		return
	}
	key := o.ChildStart(root, last)
	doc.column = o.Column(key)
	above := span{o.base, o.base + o.Start(key)}
	if last > 0 {
		above.start += o.Behind(o.Get(root.Content[last-1]).End)
	}
	doc.leads(above)
}

// identify reads the apiVersion and kind of an object and finds its members.
func (o *nodeOutline) identify(p *part, m *node.Node) error {
	check := treeCheck{text: o.text, line: o.line}
	check.identify(p, m)
	if err := check.listKeys(p.kind, m); err != nil {
		return err
	}
	return o.members(p, m, p.end)
}

// members finds the entries at the key "items". End is the offset in the stream behind the lines of the object.
func (o *nodeOutline) members(p *part, m *node.Node, end int) error {
	i := node.Index(m, "items")
	if i < 0 || m.Content[i+1].Kind != node.SequenceNode {
		return o.checkNoMembers(p, m, i)
	}
	items := m.Content[i+1]
	p.hasItems = true
	itemsEnd := end
	if i+2 < len(m.Content) {
		itemsEnd = o.base + o.Start(o.ChildStart(m, i+2))
	}
	for j, entry := range items.Content {
		member, err := o.member(items, j, itemsEnd)
		if err != nil {
			return err
		}
		if entry.Kind == node.AliasNode && node.Resolve(entry).Kind != node.MappingNode {
			entry = node.Resolve(entry)
		}
		if entry.Kind != node.MappingNode {
			member.found = describe(entry)
		} else if err := o.identify(&member, entry); err != nil {
			return err
		}
		p.members = append(p.members, member)
	}
	return nil
}

// member returns the range of an entry: whole lines if it has a dash, only the value in brackets.
func (o *nodeOutline) member(items *node.Node, index, itemsEnd int) (part, error) {
	e := o.Get(items.Content[index])
	if items.Style&node.FlowStyle != 0 {
		return part{span: span{o.base + e.Start, o.base + e.End}}, nil
	}
	start := o.Start(e.Lead)
	if o.BeginsBehind(e.Lead) {
		return part{}, errorAt(o.line+o.Number(start)-1, "this list begins behind other text on its line; begin it on a line of its own")
	}
	end := itemsEnd
	if index+1 < len(items.Content) {
		end = o.base + o.Start(o.Get(items.Content[index+1]).Lead)
	}
	return part{span: span{o.base + start, end}}, nil
}

// resourceList finds the parts that only a ResourceList has.
func (o *nodeOutline) resourceList(doc *document, root *node.Node) error {
	if !doc.isResourceList() {
		return nil
	}
	for _, key := range []string{"functionConfig", "results"} {
		if node.Index(root, key) < 0 && node.Get(root, key) != nil {
			return o.isMerged(doc.kind, root, key)
		}
	}
	if i := node.Index(root, "functionConfig"); i >= 0 && !node.IsNull(root.Content[i+1]) {
		config := root.Content[i+1]
		doc.config = &part{span: o.value(root, i)}
		doc.config.apiVersion, doc.config.kind = node.Text(config, "apiVersion"), node.Text(config, "kind")
		if config.Kind != node.MappingNode {
			doc.config.found = describe(config)
		}
	}
	if i := node.Index(root, "results"); i >= 0 {
		start, end := o.ChildStart(root, i), o.Get(root.Content[i+1]).End
		if doc.closing == nil {
			start, end = o.Start(start), o.Behind(end)
		}
		doc.results = &span{o.base + start, o.base + end}
	}
	return nil
}

// value returns the range of the value behind the key at the index.
func (o *nodeOutline) value(m *node.Node, index int) span {
	value := m.Content[index+1]
	e := o.Get(value)
	if value.Kind != node.MappingNode || value.Style&node.FlowStyle != 0 || e.Content != e.Start {
		return span{o.base + e.Start, o.base + e.End}
	}
	return span{o.base + o.Start(e.Start), o.base + o.Behind(max(e.End, e.Start+1))}
}
