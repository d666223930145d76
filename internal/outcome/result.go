package outcome

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// Result returns a finding as an entry of the results in a ResourceList, as the function specification defines it.
func Result(f finding.Finding) *node.Node {
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	_, result := textFields("", "message", message, "severity", f.Severity.String())
	add := func(key, mapping *node.Node) { result.Content = append(result.Content, key, mapping) }
	if o := f.Object; o != nil {
		add(textFields("resourceRef", "apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name))
	}
	if at := f.Field; at != nil {
		add(textFields("field", "path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed))
	}
	if in := f.File; in != nil {
		key, file := textFields("file", "path", in.Path, "index", strconv.Itoa(in.Index))
		file.Content[len(file.Content)-1].Tag = node.IntTag
		add(key, file)
	}
	// Tags are what the function specification has no field for. Kpt shows messages on one line, and tags not at all.
	if f.Code != "" || f.Injector != "" || f.Detail != "" {
		detail := "diff"
		if f.Code == finding.UnsupportedKind {
			detail = "declaration"
		}
		add(textFields("tags", "code", string(f.Code), "injector", f.Injector, detail, f.Detail))
	}
	return result
}

// textFields returns a key, and a mapping of keys with their values, without those that have no value. Thousands of results have many
// nodes, so that those of a mapping are allocated together, and those of keys are shared.
func textFields(name string, pairs ...string) (key, mapping *node.Node) {
	count := 0
	for i := 1; i < len(pairs); i += 2 {
		if pairs[i] != "" {
			count++
		}
	}
	nodes, content := make([]node.Node, count+1), make([]*node.Node, 0, 2*count+8)
	for i := 0; i < len(pairs); i += 2 {
		if value := pairs[i+1]; value != "" {
			count--
			nodes[count] = node.Node{Kind: node.ScalarNode, Tag: node.StrTag, Value: value}
			content = append(content, resultKeys[pairs[i]], &nodes[count])
		}
	}
	mapping = &nodes[len(nodes)-1]
	*mapping = node.Node{Kind: node.MappingNode, Tag: node.MapTag, Content: content}
	return resultKeys[name], mapping
}

// resultKeys are the keys of results as nodes, which all results share.
var resultKeys = func() map[string]*node.Node {
	keys := map[string]*node.Node{}
	for key := range strings.FieldsSeq("message severity resourceRef apiVersion kind namespace name field path currentValue proposedValue " +
		"file index tags code injector declaration diff") {
		keys[key] = &node.Node{Kind: node.ScalarNode, Tag: node.StrTag, Value: key}
	}
	return keys
}()
