package admission

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// sharedFields finds fields that injectors set more than once, and that their policy would set in another order or way than Pillion.
type sharedFields struct {
	values   map[string]*yaml.Node // by field
	findings []finding.Finding
}

// findShared returns an error finding for each field that several injectors, or several entries of one, set in different ways.
func findShared(injectors []*injector.Injector) []finding.Finding {
	s := sharedFields{values: map[string]*yaml.Node{}}
	for _, in := range injectors {
		l := limits{in: in}
		s.addMapping(&l, "podSpec", "podSpec", in.PodSpec)
		for i, patch := range in.PodMetadata {
			s.addMapping(&l, fmt.Sprintf("patchPodMetadata[%d].labels", i), "labels", patch.Labels)
			s.addMapping(&l, fmt.Sprintf("patchPodMetadata[%d].annotations", i), "annotations", patch.Annotations)
		}
		s.findings = append(s.findings, l.findings...)
	}
	return append(s.findings, findSharedEntries(injectors)...)
}

// addMapping adds the fields of a mapping, by their paths.
func (s *sharedFields) addMapping(l *limits, field, at string, n *yaml.Node) {
	for key, value := range node.Fields(n) {
		path := at + "/" + key
		if value.Kind == yaml.MappingNode {
			s.addMapping(l, field, path, value)
			continue
		}
		if known, isKnown := s.values[path]; isKnown && !node.Equal(known, value) {
			l.add(field, "another injector sets %s to %s, and this one to %s, which Pillion refuses in pods that do not set it themselves; keep one",
				path, node.Brief(known), node.Brief(value))
		}
		s.values[path] = value
	}
}
