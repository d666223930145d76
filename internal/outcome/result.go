package outcome

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
)

// Result returns a finding as an entry of the results in a ResourceList, as the function specification defines it.
func Result(f finding.Finding) *yaml.Node {
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	_, result := textFields("", "message", message, "severity", f.Severity.String())
	add := func(key, mapping *yaml.Node) { result.Content = append(result.Content, key, mapping) }
	if o := f.Object; o != nil {
		add(textFields("resourceRef", "apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name))
	}
	if at := f.Field; at != nil {
		add(textFields("field", "path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed))
	}
	if in := f.File; in != nil {
		key, file := textFields("file", "path", in.Path, "index", strconv.Itoa(in.Index))
		file.Content[len(file.Content)-1].Tag = "!!int"
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
func textFields(name string, pairs ...string) (key, mapping *yaml.Node) {
	count := 0
	for i := 1; i < len(pairs); i += 2 {
		if pairs[i] != "" {
			count++
		}
	}
	nodes, content := make([]yaml.Node, count+1), make([]*yaml.Node, 0, 2*count+8)
	for i := 0; i < len(pairs); i += 2 {
		if value := pairs[i+1]; value != "" {
			count--
			nodes[count] = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
			content = append(content, resultKeys[pairs[i]], &nodes[count])
		}
	}
	mapping = &nodes[len(nodes)-1]
	*mapping = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
	return resultKeys[name], mapping
}

// resultKeys are the keys of results as nodes, which all results share.
var resultKeys = func() map[string]*yaml.Node {
	keys := map[string]*yaml.Node{}
	for key := range strings.FieldsSeq("message severity resourceRef apiVersion kind namespace name field path currentValue proposedValue " +
		"file index tags code injector declaration diff") {
		keys[key] = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	}
	return keys
}()
