package outcome

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// Result returns a finding as an entry of the results in a ResourceList, as the function specification defines it.
func Result(f finding.Finding) *yaml.Node {
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	r := fields("message", message, "severity", f.Severity.String())
	if o := f.Object; o != nil {
		node.Set(r, "resourceRef", fields("apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name))
	}
	if at := f.Field; at != nil {
		node.Set(r, "field", fields("path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed))
	}
	if in := f.File; in != nil {
		file := fields("path", in.Path)
		node.Set(file, "index", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(in.Index)})
		node.Set(r, "file", file)
	}
	detail := "diff"
	if f.Code == finding.UnsupportedKind {
		detail = "declaration"
	}
	if tags := fields("code", string(f.Code), "injector", f.Injector, detail, f.Detail); len(tags.Content) > 0 {
		node.Set(r, "tags", tags) // kpt shows messages on one line, and tags not at all
	}
	return r
}

// fields returns a mapping of keys to values, without those that have no value.
func fields(pairs ...string) *yaml.Node {
	m := node.Mapping()
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			m.Content = append(m.Content, node.String(pairs[i]), node.String(pairs[i+1]))
		}
	}
	return m
}
