package outcome

import (
	"strconv"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Result returns a finding as an entry of the results in a ResourceList, as the function specification defines it.
func Result(f finding.Finding) *node.Node { return new(ResultMemory).Result(f) }

// ResultMemory holds the nodes of one result. Thousands of results that are written one by one need it only once.
type ResultMemory struct {
	nodes   []node.Node
	content []*node.Node
	top     [12]*node.Node // the content of the result itself
	room    struct {       // as much as results need today; more would be allocated
		nodes   [20]node.Node
		content [32]*node.Node
	}
}

// Result is like the function. Its result is valid until the next one is made in the same memory.
func (m *ResultMemory) Result(f finding.Finding) *node.Node {
	m.nodes = m.room.nodes[:0]
	m.content = m.room.content[:0]
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	_, result := m.textFields("", "message", message, "severity", f.Severity.String())
	result.Content = append(m.top[:0], result.Content...)
	add := func(key, mapping *node.Node) { result.Content = append(result.Content, key, mapping) }
	if o := f.Object; o != nil {
		add(m.textFields("resourceRef",
			"apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name))
	}
	if at := f.Field; at != nil {
		add(m.textFields("field", "path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed))
	}
	if in := f.File; in != nil {
		key, file := m.textFields("file", "path", in.Path, "index", strconv.Itoa(in.Index))
		file.Content[len(file.Content)-1].Tag = node.IntTag
		add(key, file)
	}
	// Tags are what the function specification has no field for. Kpt shows messages on one line, and tags not at all.
	if f.Code != "" || f.Injector != "" || f.Detail != "" {
		detail := "diff"
		if f.Code == finding.UnsupportedKind {
			detail = "declaration"
		}
		add(m.textFields("tags", "code", string(f.Code), "injector", f.Injector, detail, f.Detail))
	}
	return result
}

// textFields returns a key, and a mapping of keys with their values, without those that have no value.
func (m *ResultMemory) textFields(name string, pairs ...string) (key, mapping *node.Node) {
	mapping = m.node(node.Node{Kind: node.MappingNode, Tag: node.MapTag})
	begin := len(m.content)
	for i := 0; i < len(pairs); i += 2 {
		if value := pairs[i+1]; value != "" {
			text := m.node(node.Node{Kind: node.ScalarNode, Tag: node.StrTag, Value: value})
			m.content = append(m.content, resultKeys()[pairs[i]], text)
		}
	}
	mapping.Content = m.content[begin:len(m.content):len(m.content)]
	return resultKeys()[name], mapping
}

func (m *ResultMemory) node(n node.Node) *node.Node {
	m.nodes = append(m.nodes, n)
	return &m.nodes[len(m.nodes)-1]
}

// resultKeys are the keys of results as nodes, which all results share.
var resultKeys = sync.OnceValue(func() map[string]*node.Node {
	const all = "message severity resourceRef apiVersion kind namespace name field path currentValue proposedValue " +
		"file index tags code injector declaration diff"
	keys := map[string]*node.Node{}
	for key := range strings.FieldsSeq(all) {
		keys[key] = &node.Node{Kind: node.ScalarNode, Tag: node.StrTag, Value: key}
	}
	return keys
})
