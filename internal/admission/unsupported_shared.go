package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// sharedFields finds fields that injectors set more than once, and that their policy would set in another order or way than Pillion.
type sharedFields struct {
	fields   map[string]*node.Node // of the pod's spec, labels and annotations, by path
	findings []finding.Finding
}

// findShared returns an error finding for each field that several injectors, or several entries of one, set in different ways.
func findShared(injectors []*injector.Injector) []finding.Finding {
	s := sharedFields{fields: map[string]*node.Node{}}
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

// addMapping adds the fields of a mapping, by their paths. Pillion refuses pods in which injectors want them to be different.
func (s *sharedFields) addMapping(l *limits, field, at string, n *node.Node) {
	for key, value := range node.Fields(n) {
		path := at + "/" + key
		row := pod.At("spec" + strings.TrimPrefix(path, "podSpec"))
		switch value = node.Resolve(value); {
		case value.Kind == node.MappingNode && !row.Whole:
			s.addMapping(l, field, path, value)
		case value.Kind == node.SequenceNode && row.IsKeyed():
			seen := map[string]bool{} // a repetition in one list is reported as such
			for _, entry := range value.Content {
				if name := row.Key(entry); !seen[name] {
					seen[name] = true
					s.addField(l, field, path+"/"+name, entry)
				}
			}
		case value.Kind == node.SequenceNode: // each injector adds to what those before it added
		default:
			s.addField(l, field, path, value)
		}
	}
}

func (s *sharedFields) addField(l *limits, field, path string, value *node.Node) {
	if known, isKnown := s.fields[path]; isKnown && !node.Equal(known, value) {
		l.add(field, "another injector sets %s to %s, and this one to %s, which Pillion refuses in pods that do not set it themselves; keep one",
			path, node.Brief(known), node.Brief(value))
	}
	s.fields[path] = value
}
