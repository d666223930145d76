package variable

import (
	"fmt"
	"slices"
	"strings"
)

// Text is a parsed string with variables.
type Text struct {
	segments []segment
}

// segment is a part of a text: a variable if it has a source, else literal.
type segment struct {
	literal    string
	source     *source
	key        string
	fallback   string // the default
	hasDefault bool
}

// Segment is a part of a text, for programs that expand it in their own way: a variable, or literal if it has no name.
type Segment struct {
	Literal    string
	Name, Key  string // such as pod.labels and app
	Default    string
	HasDefault bool
}

// Segments returns the parts of the text, or nil if it is literal.
func (t Text) Segments() []Segment {
	segments := make([]Segment, len(t.segments))
	for i, s := range t.segments {
		segments[i] = Segment{Literal: s.literal, Key: s.key, Default: s.fallback, HasDefault: s.hasDefault}
		if s.source != nil {
			segments[i].Name = s.source.name
		}
	}
	return segments
}

// Written returns the variable as people write it, without a default.
func (s Segment) Written() string { return opening + s.Unset(Lack{}).Variable + closing }

// Unset returns the variable as one without a value, which is for the container of the app if it depends on one.
func (s Segment) Unset(container Lack) *Unset {
	for i := range sources {
		if sources[i].name == s.Name {
			subject := Subject{Container: Container{Lack: func(string) Lack { return container }}}
			return segment{source: &sources[i], key: s.Key}.unset(subject)
		}
	}
	return nil
}

// IsLiteral reports whether the text has no variables and no escaped "${".
func (t Text) IsLiteral() bool { return t.segments == nil }

// Varies reports whether the text has a variable.
func (t Text) Varies() bool {
	return slices.ContainsFunc(t.segments, func(s segment) bool { return s.source != nil })
}

// Uses returns the keys of the pod template's labels and annotations that the text depends on.
func (t Text) Uses() (labels, annotations []string) {
	for _, s := range t.segments {
		switch {
		case s.source == nil || !s.source.keyed:
		case s.source.name == PodLabels:
			labels = append(labels, s.key)
		default:
			annotations = append(annotations, s.key)
		}
	}
	return labels, annotations
}

// UsesContainer reports whether the text depends on a container of the app.
func (t Text) UsesContainer() bool {
	return slices.ContainsFunc(t.segments, func(s segment) bool { return s.source != nil && s.source.isApp })
}

// Unset is a variable without a value for a workload, and without a default, or one whose value is too long.
type Unset struct {
	// Variable is the variable as it was written.
	Variable string
	// Lack names what the workload or its pod template lacks. Its field is one of the pod template if InPod is set.
	Lack
	InPod bool
	// Length is that of a value that is too long, and Most the limit; 0 if there is no value.
	Length, Most int
}

// Message names what is missing, and how to give a default.
func (u *Unset) Message() string {
	if u.Length > 0 {
		return fmt.Sprintf("the value of ${%s} has %d bytes, and the most for this variable is %d; shorten it", u.Variable, u.Length, u.Most)
	}
	return fmt.Sprintf("${%s} has no value, because %s; %s, or give a default: ${%[1]s:-DEFAULT}", u.Variable, u.Why, u.Remedy)
}

// Expand replaces the variables by the subject's values. As in a shell, a default
// replaces a missing or an empty value.
func (t Text) Expand(subject Subject) (string, *Unset) {
	var b strings.Builder
	for _, s := range t.segments {
		if s.source == nil {
			b.WriteString(s.literal)
			continue
		}
		value, ok := s.source.value(subject, s.key)
		switch {
		case s.hasDefault && value == "":
			value = s.fallback
		case !ok:
			return "", s.unset(subject)
		case len(value) > s.source.most:
			unset := s.unset(subject)
			unset.Length, unset.Most = len(value), s.source.most
			return "", unset
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

func (s segment) unset(subject Subject) *Unset {
	unset := &Unset{Variable: s.source.spelled(s.key), InPod: s.source.keyed}
	if s.source.isApp {
		unset.Lack = subject.Container.lack(s.source.name)
		return unset
	}
	unset.Lack = Lack{Why: s.source.where, Remedy: "add it", Field: s.source.field}
	if s.source.keyed {
		unset.Why += fmt.Sprintf(" %q", s.key)
	}
	return unset
}

func (c Container) lack(variable string) Lack {
	if c.Lack == nil {
		return Lack{Why: "there is no container of the app", Remedy: "add one"}
	}
	return c.Lack(variable)
}
