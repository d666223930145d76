package admission

import (
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// sharedFields finds fields that injectors set more than once, and that their policy would set in another order or way than Pillion.
type sharedFields struct {
	values   map[string]string     // of variables, by name
	fields   map[string]*yaml.Node // of the pod's spec, labels and annotations, by path
	joined   map[string]bool       // the variables that values are joined to
	findings []finding.Finding
}

// findShared returns an error finding for each field that several injectors, or several entries of one, set in different ways.
func findShared(injectors []*injector.Injector) []finding.Finding {
	s := sharedFields{values: map[string]string{}, fields: map[string]*yaml.Node{}, joined: map[string]bool{}}
	for _, in := range injectors {
		l, own := limits{in: in}, map[string]string{} // the variables of this injector: the first of a name counts
		s.addMapping(&l, "podSpec", "podSpec", in.PodSpec)
		for i, patch := range in.PodMetadata {
			s.addMapping(&l, fmt.Sprintf("patchPodMetadata[%d].labels", i), "labels", patch.Labels)
			s.addMapping(&l, fmt.Sprintf("patchPodMetadata[%d].annotations", i), "annotations", patch.Annotations)
		}
		for i, rule := range in.AppContainers {
			for n, variable := range rule.Env {
				field := fmt.Sprintf("appContainers[%d].env[%d]", i, n)
				if _, isJoined := rule.Joins[variable]; isJoined {
					s.addJoined(&l, field+".join", node.Text(variable, "name"))
				} else {
					own[node.Text(variable, "name")] = node.Brief(variable)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(own)) {
			s.addVariable(&l, name, own[name])
		}
		s.findings = append(s.findings, l.findings...)
	}
	return s.findings
}

// addVariable adds a variable for the app's containers. If two injectors set it, Pillion compares what both want in each pod.
func (s *sharedFields) addVariable(l *limits, name, text string) {
	path := "env/" + name
	if known, isKnown := s.values[path]; isKnown && known != text {
		l.add("appContainers", "another injector sets the variable %s to another value; keep one", name)
	}
	s.values[path] = text
}

// addMapping adds the fields of a mapping, by their paths. Pillion refuses pods in which injectors want them to be different.
func (s *sharedFields) addMapping(l *limits, field, at string, n *yaml.Node) {
	for key, value := range node.Fields(n) {
		path := at + "/" + key
		switch value = node.Resolve(value); {
		case value.Kind == yaml.MappingNode && !podtemplate.IsOneChoice(key):
			s.addMapping(l, field, path, value)
		case value.Kind == yaml.SequenceNode && podtemplate.IsKeyed(key):
			seen := map[string]bool{} // a repetition in one list is reported as such
			for _, entry := range value.Content {
				if name := podtemplate.EntryKey(key, entry); !seen[name] {
					seen[name] = true
					s.addField(l, field, path+"/"+name, entry)
				}
			}
		case value.Kind == yaml.SequenceNode: // each injector adds to what those before it added
		default:
			s.addField(l, field, path, value)
		}
	}
}

func (s *sharedFields) addField(l *limits, field, path string, value *yaml.Node) {
	if known, isKnown := s.fields[path]; isKnown && !node.Equal(known, value) {
		l.add(field, "%s is set to %s and %s, and a policy cannot decide between injectors; keep one",
			path, node.Brief(known), node.Brief(value))
	}
	s.fields[path] = value
}

// addJoined adds a variable that a value is joined to. A policy does not follow the parts of several values.
func (s *sharedFields) addJoined(l *limits, field, name string) {
	if s.joined[name] {
		l.add(field, "%s is joined more than once, and policies join one value to a variable; write both in one value", name)
	}
	s.joined[name] = true
}
