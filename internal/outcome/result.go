package outcome

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
)

// Result returns a finding as an entry of the results in a ResourceList.
func Result(f finding.Finding) *yaml.Node {
	result := ResultField{Tag: "!!map"}.Node()
	inner := result
	for _, field := range AppendResultFields(nil, &f) {
		into, value := result, field.Node()
		if field.IsInner {
			into = inner
		}
		into.Content = append(into.Content, ResultField{Tag: "!!str", Value: field.Key}.Node(), value)
		if field.IsMapping() {
			inner = value
		}
	}
	return result
}

// ResultField is one field of a result. Fields are comparable, because many are the same in one result after the other.
type ResultField struct {
	Key   string
	Tag   string // of the value
	Value string // if it is a scalar
	// IsInner is whether the field belongs to the last mapping instead of the result itself.
	IsInner bool
}

// IsMapping reports whether the value is a mapping. Its fields follow.
func (f ResultField) IsMapping() bool { return f.Tag == "!!map" }

// Node returns the value as a node, without the fields of a mapping.
func (f ResultField) Node() *yaml.Node {
	kind := yaml.ScalarNode
	if f.IsMapping() {
		kind = yaml.MappingNode
	}
	return &yaml.Node{Kind: kind, Tag: f.Tag, Value: f.Value}
}

// AppendResultFields adds the fields of a finding as a result, as the function specification defines it.
func AppendResultFields(all []ResultField, f *finding.Finding) []ResultField {
	message := f.Message
	if f.Field != nil { // the result has it beside the message
		message = strings.TrimPrefix(message, f.Field.Path+": ")
	}
	all = appendTexts(all, false, "message", message, "severity", f.Severity.String())
	if o := f.Object; o != nil {
		all = append(all, ResultField{Key: "resourceRef", Tag: "!!map"})
		all = appendTexts(all, true, "apiVersion", o.APIVersion, "kind", o.Kind, "namespace", o.Namespace, "name", o.Name)
	}
	if at := f.Field; at != nil {
		all = append(all, ResultField{Key: "field", Tag: "!!map"})
		all = appendTexts(all, true, "path", at.Path, "currentValue", at.Current, "proposedValue", at.Proposed)
	}
	if in := f.File; in != nil {
		all = appendTexts(append(all, ResultField{Key: "file", Tag: "!!map"}), true, "path", in.Path)
		all = append(all, ResultField{Key: "index", Tag: "!!int", Value: strconv.Itoa(in.Index), IsInner: true})
	}
	return appendTags(all, f)
}

// appendTags adds what the function specification has no field for. Kpt shows messages on one line, and tags not at all.
func appendTags(all []ResultField, f *finding.Finding) []ResultField {
	if f.Code == "" && f.Injector == "" && f.Detail == "" {
		return all
	}
	detail := "diff"
	if f.Code == finding.UnsupportedKind {
		detail = "declaration"
	}
	all = append(all, ResultField{Key: "tags", Tag: "!!map"})
	return appendTexts(all, true, "code", string(f.Code), "injector", f.Injector, detail, f.Detail)
}

// appendTexts adds keys with their values, without those that have no value.
func appendTexts(all []ResultField, isInner bool, pairs ...string) []ResultField {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, ResultField{Key: pairs[i], Tag: "!!str", Value: pairs[i+1], IsInner: isInner})
		}
	}
	return all
}
