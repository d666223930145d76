package outcome

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
)

// Result returns a finding as an entry of the results in a ResourceList, as the function specification defines it.
func Result(f finding.Finding) *yaml.Node { return new(Results).Of(f) }

// Results creates one result after the other in the same memory, because a run may have thousands of them.
type Results struct {
	nodes    []yaml.Node
	children []*yaml.Node
}

// Of is like Result. The nodes are valid until the next call.
func (r *Results) Of(f finding.Finding) *yaml.Node {
	r.nodes, r.children = r.nodes[:0], r.children[:0]
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	var object, field, file, tags *yaml.Node
	if o := f.Object; o != nil {
		object = r.fields("apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name)
	}
	if at := f.Field; at != nil {
		field = r.fields("path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed)
	}
	if in := f.File; in != nil {
		index := r.node(yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(in.Index)})
		file = r.mapping(pair{"path", r.text(in.Path)}, pair{"index", index})
	}
	detail := "diff"
	if f.Code == finding.UnsupportedKind {
		detail = "declaration"
	}
	if f.Code != "" || f.Injector != "" || f.Detail != "" { // kpt shows messages on one line, and tags not at all
		tags = r.fields("code", string(f.Code), "injector", f.Injector, detail, f.Detail)
	}
	return r.mapping(
		pair{"message", r.text(message)}, pair{"severity", r.text(f.Severity.String())},
		pair{"resourceRef", object}, pair{"field", field}, pair{"file", file}, pair{"tags", tags},
	)
}

// fields returns a mapping of keys to values, without those that have no value.
func (r *Results) fields(pairs ...string) *yaml.Node {
	start := len(r.children)
	for i := 0; i < len(pairs); i += 2 {
		r.add(pair{pairs[i], r.text(pairs[i+1])})
	}
	return r.mappingFrom(start)
}

// pair is a key of a mapping and its value, which is nil if there is none.
type pair struct {
	key   string
	value *yaml.Node
}

func (r *Results) mapping(pairs ...pair) *yaml.Node {
	start := len(r.children)
	for _, p := range pairs {
		r.add(p)
	}
	return r.mappingFrom(start)
}

func (r *Results) add(p pair) {
	if p.value != nil {
		r.children = append(r.children, r.text(p.key), p.value)
	}
}

// mappingFrom returns a mapping of the children that were added last.
func (r *Results) mappingFrom(start int) *yaml.Node {
	return r.node(yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: r.children[start:len(r.children):len(r.children)]})
}

// text returns the node of a string, or nil if it is empty.
func (r *Results) text(value string) *yaml.Node {
	if value == "" {
		return nil
	}
	return r.node(yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value})
}

func (r *Results) node(n yaml.Node) *yaml.Node {
	r.nodes = append(r.nodes, n)
	return &r.nodes[len(r.nodes)-1]
}
