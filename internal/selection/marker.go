package selection

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
)

// wish is what a marker says to one injector.
type wish int

const (
	nothing wish = iota
	in
	out
	unclear
)

// optedIn reads the marker on the pod template, and on the workload where the scope says so.
// A marker on the workload that nobody reads is said, because it looks as if it worked.
func (s *Selection) optedIn(c Candidate) Decision {
	said, value := s.wishOn(c.Template.Node)
	elsewhere, elsewhereValue := nothing, ""
	if c.Template.Path != "" {
		elsewhere, elsewhereValue = s.wishOn(c.Workload)
	}
	if said == nothing && s.spec.SelectorScope != v1alpha1.ScopePodTemplate {
		said, value, elsewhere = elsewhere, elsewhereValue, nothing
	}

	disabled := s.spec.Policy == v1alpha1.PolicyDisabled
	switch {
	case said == unclear:
		return skipLoudly(finding.MarkerUnclear, `its marker %s is %q; write "true", "false" or names of injectors`, s.spec.Marker, value)
	case said == out:
		return skip(finding.OptedOut, "its marker %s is %q", s.spec.Marker, value)
	case said == in:
		return inject
	case elsewhere == out || elsewhere != nothing && disabled:
		return skipLoudly(finding.MarkerMisplaced, "its marker %s is on the workload's metadata, where it does not count; put it on %s",
			s.spec.Marker, c.Template.At("metadata.annotations"))
	case disabled:
		return skip(finding.NotOptedIn, `spec.policy is disabled and the pod does not opt in; set the annotation or label %s: "true"`, s.spec.Marker)
	default:
		return inject
	}
}

// wishOn reads the marker as annotation and as label. Where the two disagree, out wins: a
// sidecar that is missing is easier to see than one that nobody wanted.
func (s *Selection) wishOn(object *yaml.Node) (wish, string) {
	var said wish
	var text string
	for _, place := range []string{"annotations", "labels"} {
		value := node.Get(object, "metadata", place, s.spec.Marker)
		if value == nil {
			continue
		}
		if w := wishFor(value.Value, s.name); w > said {
			said, text = w, value.Value
		}
	}
	if classic := node.Text(object, "metadata", "annotations", initializerPrefix+s.name); said == nothing && classic != "" {
		said, text = wishFor(classic, s.name), classic
	}
	return said, text
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
