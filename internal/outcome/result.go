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
	result := textFields("message", message, "severity", f.Severity.String())
	if o := f.Object; o != nil {
		addField(result, "resourceRef", textFields("apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name))
	}
	if at := f.Field; at != nil {
		addField(result, "field", textFields("path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed))
	}
	if in := f.File; in != nil {
		file := textFields("path", in.Path)
		addField(file, "index", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(in.Index)})
		addField(result, "file", file)
	}
	// Tags are what the function specification has no field for. Kpt shows messages on one line, and tags not at all.
	if f.Code != "" || f.Injector != "" || f.Detail != "" {
		detail := "diff"
		if f.Code == finding.UnsupportedKind {
			detail = "declaration"
		}
		addField(result, "tags", textFields("code", string(f.Code), "injector", f.Injector, detail, f.Detail))
	}
	return result
}

// textFields returns a mapping of keys with their values, without those that have no value. Thousands of results have many nodes, so
// that those of a mapping are allocated together.
func textFields(pairs ...string) *yaml.Node {
	nodes, content := make([]yaml.Node, len(pairs)+1), make([]*yaml.Node, 0, len(pairs)+8)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		for j := i; j < i+2; j++ {
			nodes[j] = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: pairs[j]}
			content = append(content, &nodes[j])
		}
	}
	mapping := &nodes[len(pairs)]
	*mapping = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
	return mapping
}

func addField(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value)
}
