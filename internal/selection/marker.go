package selection

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// wish is what a marker says to one injector. Where the marker is there as annotation and as label, the later of these wins.
type wish int

const (
	nothing wish = iota
	in
	unclear
	out
)

// optedIn reads the marker on the pod template, and on the workload where the scope says so.
// A marker that stands anywhere else is said, because it looks as if it worked; one that says
// no keeps the sidecar out all the same, since that is what its author wanted.
func (s *Selection) optedIn(c Candidate) Decision {
	said, value := s.wishOn(c.Template.Node)
	elsewhere, path := nothing, ""
	if said == nothing {
		elsewhere, value, path = s.wishAround(c)
	}
	if s.spec.SelectorScope != v1alpha1.ScopePodTemplate && path == workloadMetadata {
		said, elsewhere = elsewhere, nothing
	}

	disabled := s.spec.Policy == v1alpha1.PolicyDisabled
	if said == nothing && elsewhere == nothing {
		if key := s.misspelt(c); key != "" {
			return skipLoudly(finding.MarkerUnclear, "left out, because %s is not the marker; did you mean %s?", key, s.spec.Marker)
		}
	}
	switch {
	case said == unclear:
		return skipLoudly(finding.MarkerUnclear, `its marker %s is %q; write "true", "false" or names of injectors`, s.spec.Marker, value).at(s.markerField(c))
	case said == out:
		return skip(finding.OptedOut, "its marker %s is %q%s", s.spec.Marker, value, unlessFalse(value))
	case said == in:
		return inject
	case elsewhere == out || elsewhere != nothing && disabled:
		return skipLoudly(finding.MarkerMisplaced, "left out, because its marker %s (%q) stands on %s and not on the pod template; put it on %s",
			s.spec.Marker, value, path, c.Template.At("metadata.annotations")).at(s.markerField(c))
	case disabled:
		return skip(finding.NotOptedIn, `spec.policy is disabled and the pod does not opt in; set the annotation or label %s: "true"`, s.spec.Marker)
	default:
		return inject
	}
}

// workloadMetadata is how messages call the metadata of the workload itself.
const workloadMetadata = "the workload's metadata"

func unlessFalse(value string) string {
	if strings.EqualFold(strings.TrimSpace(value), "false") {
		return ""
	}
	return ", which does not name this injector"
}

// wishAround looks for the marker on the metadata above the pod template: the workload's, and
// that of a CronJob's job template.
func (s *Selection) wishAround(c Candidate) (said wish, value, path string) {
	if c.Template.Path == "" {
		return nothing, "", ""
	}
	at, path := c.Workload, workloadMetadata
	steps := strings.Split(c.Template.Path, ".")
	for i := range steps {
		if said, value = s.wishOn(at); said != nothing {
			return said, value, path
		}
		if at = node.Get(at, steps[i]); at == nil {
			return nothing, "", ""
		}
		above := strings.Join(steps[:i+1], ".")
		if said, value = s.wishIn(at); said != nothing {
			return said, value, above + ", outside of its metadata,"
		}
		path = above + ".metadata"
	}
	return nothing, "", ""
}

// markerField is where the marker stands: on the pod template, or else above it.
func (s *Selection) markerField(c Candidate) string {
	if field := s.markerOn(c.Template.Node); field != "" {
		return c.Template.At(field)
	}
	at, path := c.Workload, ""
	for step := range strings.SplitSeq(c.Template.Path, ".") {
		if field := s.markerOn(at); field != "" {
			return path + field
		}
		at, path = node.Get(at, step), path+step+"."
	}
	return ""
}

// markerOn is the field of an object that is the marker.
func (s *Selection) markerOn(object *yaml.Node) string {
	for _, key := range []string{s.spec.Marker, InitializerAnnotation(s.name)} {
		for _, place := range []string{"annotations", "labels"} {
			if !node.IsNull(node.Get(object, "metadata", place, key)) {
				return "metadata." + place + "[" + key + "]"
			}
		}
	}
	return ""
}

// wishOn reads the marker as annotation and as label. Where the two disagree, out wins: a
// sidecar that is missing is easier to see than one that nobody wanted.
func (s *Selection) wishOn(object *yaml.Node) (wish, string) {
	said, text := s.wishIn(node.Get(object, "metadata"))
	if classic := node.Text(object, "metadata", "annotations", InitializerAnnotation(s.name)); said == nothing && classic != "" {
		said, text = wishFor(classic, s.name), classic
	}
	return said, text
}

// wishIn reads the marker in what holds annotations and labels.
func (s *Selection) wishIn(metadata *yaml.Node) (wish, string) {
	var said wish
	var text string
	for _, place := range []string{"annotations", "labels"} {
		value := node.Get(metadata, place, s.spec.Marker)
		if node.IsNull(value) {
			continue
		}
		w := unclear
		if value.Kind == yaml.ScalarNode {
			w = wishFor(value.Value, s.name)
		}
		if w > said {
			said, text = w, node.Brief(value)
		}
	}
	return said, text
}

// misspelt is a key of the pod template that was most likely meant as the marker.
func (s *Selection) misspelt(c Candidate) string {
	domain, name, _ := strings.Cut(s.spec.Marker, "/")
	for _, place := range []string{"annotations", "labels"} {
		for _, key := range node.Keys(node.Get(c.Template.Node, "metadata", place)) {
			word, ours := strings.CutPrefix(key, domain+"/")
			if ours && word != name && !stamp.IsKey(key) && spelling.Nearest(word, []string{name}) != "" {
				return key
			}
		}
	}
	return ""
}

func wishFor(value, name string) wish {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "true":
		return in
	case "false":
		return out
	case "", "yes", "no", "on", "off", "y", "n", "1", "0", "enabled", "disabled":
		return unclear // they look like a boolean to people, and like an injector's name to us
	}
	names := strings.Split(value, ",")
	if slices.ContainsFunc(names, func(n string) bool { return strings.TrimSpace(n) == name }) {
		return in
	}
	return out
}
