package variable

import (
	"fmt"
	"slices"
	"strings"
)

// Text is a parsed string with variables.
type Text struct {
	segments []Segment
}

// Segment is a part of a text: a variable, or literal if it has no name.
type Segment struct {
	Literal    string
	Name, Key  string // such as pod.labels and app
	Default    string
	HasDefault bool
}

// Segments returns the parts of the text, or nil if it is literal.
func (t Text) Segments() []Segment { return t.segments }

// Written returns the variable as people write it, without a default.
func (s Segment) Written() string { return opening + s.spelled() + closing }

func (s Segment) spelled() string { return sourceOf(s.Name).spelled(s.Key) }

func (s Segment) isOfContainer() bool { return s.Name != "" && sourceOf(s.Name).isOfContainer() }

// IsLiteral reports whether the text has no variables and no escaped "${".
func (t Text) IsLiteral() bool { return t.segments == nil }

// Varies reports whether the text has a variable.
func (t Text) Varies() bool {
	return slices.ContainsFunc(t.segments, func(s Segment) bool { return s.Name != "" })
}

// MetadataKeys returns the keys of the pod template's labels and annotations that the text depends on.
func (t Text) MetadataKeys() (labels, annotations []string) {
	for _, s := range t.segments {
		switch s.Name {
		case PodLabels:
			labels = append(labels, s.Key)
		case PodAnnotations:
			annotations = append(annotations, s.Key)
		}
	}
	return labels, annotations
}

// UsesContainer reports whether the text depends on a container of the app.
func (t Text) UsesContainer() bool { return slices.ContainsFunc(t.segments, Segment.isOfContainer) }

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
		if s.Name == "" {
			b.WriteString(s.Literal)
			continue
		}
		value, ok := subject.Value(s.Name, s.Key)
		if s.HasDefault && value == "" {
			value, ok = s.Default, true
		} else if most := sourceOf(s.Name).most; len(value) > most {
			unset := s.Unset(subject.Container.lack(s.Name))
			unset.Length, unset.Most = len(value), most
			return "", unset
		}
		if !ok {
			return "", s.Unset(subject.Container.lack(s.Name))
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

// Unset returns the variable as one without a value, which is for the container of the app if it depends on one.
func (s Segment) Unset(container Lack) *Unset {
	from := sourceOf(s.Name)
	unset := &Unset{Variable: s.spelled(), InPod: from.keyed, Lack: container}
	if !from.isOfContainer() {
		unset.Lack = Lack{Why: from.where, Remedy: "add it", Field: from.field}
	}
	if from.keyed {
		unset.Why += fmt.Sprintf(" %q", s.Key)
	}
	return unset
}

func (c Container) lack(variable string) Lack {
	if c.Lack == nil {
		return Lack{Why: "there is no container of the app", Remedy: "add one"}
	}
	return c.Lack(variable)
}
