package selection

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// intent is what a marker means for one injector. If an annotation and a label disagree, the higher one counts: a
// missing sidecar is easier to notice than an unwanted one.
type intent int

const (
	none intent = iota
	optIn
	unclear
	optOut
)

// marker is a marker that was found: its key in the mapping at a path, and its value.
type marker struct {
	intent           intent
	path, key, value string
	isUnquoted       bool // whether it is a boolean instead of a string
}

// warn returns the decision against a pod because of the marker.
func (m marker) warn(code finding.Code, format string, args ...any) *Decision {
	d := skipWithWarning(code, format, args...)
	d.OptsOut = true
	d.Field = m.path + "[" + m.key + "]"
	return d
}

// optedIn checks the marker on the pod template and, if spec.selectorScope says so, on the workload. A marker anywhere
// else is reported, because it looks as if it worked. If it opts out, it keeps the sidecar out nevertheless, as its
// author intended.
func (s *Selection) optedIn(c *Candidate) *Decision {
	found, isMisplaced := s.findMarker(c)
	disabled := s.spec.Policy == v1alpha1.PolicyDisabled
	switch {
	case isMisplaced && (found.intent == optOut || disabled):
		d := found.warn(finding.MarkerMisplaced,
			"its marker %s (%q) is in %s instead of %s, so the workload is skipped; move the marker",
			s.spec.Marker, found.value, found.path, c.Template.At("metadata.annotations"))
		d.OptsOut = found.intent == optOut
		return d
	case found.isUnquoted && !isMisplaced:
		return found.warn(finding.MarkerUnclear,
			"its marker %s is %s without quotes, which the API server refuses; write %[2]q",
			s.spec.Marker, found.value)
	case isMisplaced || found.intent == optIn:
		return nil
	case found.intent == unclear:
		return found.warn(finding.MarkerUnclear, `its marker %s is %q; write "true", "false" or names of injectors`,
			s.spec.Marker, found.value)
	case found.intent == optOut && strings.EqualFold(strings.TrimSpace(found.value), "false"):
		return optedOut("its marker %s is %q", s.spec.Marker, found.value)
	case found.intent == optOut && s.meantBy(found.value) != "":
		return found.warn(finding.MarkerUnclear, "its marker %s is %q, and there is no injector %q; did you mean %s?",
			s.spec.Marker, found.value, s.meantBy(found.value), s.injector.Name)
	case found.intent == optOut:
		return optedOut("its marker %s is %q, which does not name this injector", s.spec.Marker, found.value)
	}
	if key := s.misspelt(c); key != "" {
		return skipWithWarning(finding.MarkerUnclear,
			"its key %s is not the marker, so the workload is skipped; did you mean %s?",
			key, s.spec.Marker)
	}
	if disabled {
		return skip(finding.NotOptedIn,
			`spec.policy is Disabled and the pod does not opt in; set the annotation or label %s: "true"`,
			s.spec.Marker)
	}
	return nil
}

// findMarker returns the marker on the pod template, or the first one above it: on the workload or a CronJob's job
// template, or beside such metadata. There it is misplaced, unless spec.selectorScope includes the workload.
func (s *Selection) findMarker(c *Candidate) (found marker, isMisplaced bool) {
	if found = s.markerOn(node.Get(c.Template.Node, "metadata")); found.intent != none {
		found.path = c.Template.At(found.path)
		return found, false
	}
	at := c.Workload
	above := pod.Template{}
	for rest := c.Template.Path; rest != "" && found.intent == none; {
		isMisplaced = above.Path != "" || s.spec.SelectorScope == v1alpha1.ScopePodTemplate
		if found = s.markerOn(node.Get(at, "metadata")); found.intent == none {
			step, further, _ := strings.Cut(rest, ".")
			above.Path = strings.TrimSuffix(strings.TrimSuffix(c.Template.Path, further), ".")
			rest = further
			at = node.Get(at, step)
			isMisplaced = true
			found = s.markerIn(at, "")
		}
	}
	if found.intent == none {
		return marker{}, false
	}
	found.path = above.At(found.path)
	return found, isMisplaced
}

// markerOn returns the marker in the metadata of an object, or its annotation for the classic Initializer.
func (s *Selection) markerOn(metadata *node.Node) marker {
	found := s.markerIn(metadata, "metadata.")
	if classic := node.Text(metadata, "annotations", s.annotation); found.intent == none && classic != "" {
		return marker{intentOf(classic, s.injector.Name), "metadata.annotations", s.annotation, classic, false}
	}
	return found
}

// markerIn returns the marker among the annotations and labels in a mapping. The prefix leads to the mapping.
func (s *Selection) markerIn(metadata *node.Node, prefix string) (found marker) {
	for _, list := range []string{"annotations", "labels"} {
		value := node.Get(metadata, list, s.spec.Marker)
		if node.IsNull(value) {
			continue
		}
		is := unclear
		if value.Kind == node.ScalarNode {
			is = intentOf(value.Value, s.injector.Name)
		}
		if is > found.intent {
			_, isBool := node.Bool(value)
			found = marker{is, prefix + list, s.spec.Marker, node.Brief(value), isBool && !node.IsString(value)}
		}
	}
	return found
}

// meantBy returns the name in a marker that is no injector's and was most likely meant to be this injector's, or "".
func (s *Selection) meantBy(marker string) string {
	for name := range strings.SplitSeq(marker, ",") {
		name = strings.TrimSpace(name)
		if !s.surroundings.Injectors[name] && spelling.Nearest(name, []string{s.injector.Name}) != "" {
			return name
		}
	}
	return ""
}

// misspelt returns a key of the pod template that was most likely meant to be the marker.
func (s *Selection) misspelt(c *Candidate) string {
	domain, name, _ := strings.Cut(s.spec.Marker, "/")
	for _, list := range []string{"annotations", "labels"} {
		for key := range node.Fields(node.Get(c.Template.Node, "metadata", list)) {
			of, word, isPrefixed := strings.Cut(key, "/")
			isStamp := strings.HasPrefix(key, v1alpha1.StampPrefix)
			if isPrefixed && of == domain && word != name && !isStamp && spelling.Nearest(word, []string{name}) != "" {
				return key
			}
		}
	}
	return ""
}

// booleanWords are words other than true and false that are a boolean to people.
var booleanWords = []string{"yes", "no", "on", "off", "y", "n", "1", "0", "enabled", "disabled"}

func intentOf(value, injector string) intent {
	word := strings.ToLower(strings.TrimSpace(value))
	switch {
	case word == "true":
		return optIn
	case word == "false":
		return optOut
	case word == "", slices.Contains(booleanWords, word):
		return unclear // a boolean to people, and the name of an injector to us
	case slices.ContainsFunc(strings.Split(value, ","),
		func(name string) bool { return strings.TrimSpace(name) == injector }):
		return optIn
	case spelling.Nearest(strings.TrimSpace(value), []string{"true", "false"}) != "":
		return unclear // a slip must not remove the sidecar
	}
	return optOut
}
