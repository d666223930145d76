package variable

import (
	"fmt"
	"slices"
	"strings"
)

// Text is a string with variables in it, parsed.
type Text struct {
	segments []segment
}

// segment is a piece of a text: literal, or a variable where there is a source.
type segment struct {
	literal    string
	source     *source
	key        string
	fallback   string // the default
	hasDefault bool
}

// IsLiteral tells that the text is the same for every workload and just as it was written.
func (t Text) IsLiteral() bool { return t.segments == nil }

// Varies tells that there is a variable in the text, and not only a "${" that is meant as it stands.
func (t Text) Varies() bool {
	return slices.ContainsFunc(t.segments, func(s segment) bool { return s.source != nil })
}

// Uses lists the keys of the pod template's labels and annotations that the text looks at.
func (t Text) Uses() (labels, annotations []string) {
	for _, s := range t.segments {
		switch {
		case s.source == nil || !s.source.keyed:
		case s.source.name == podLabels:
			labels = append(labels, s.key)
		default:
			annotations = append(annotations, s.key)
		}
	}
	return labels, annotations
}

// Unset is a variable that has no value for a workload, and no default.
type Unset struct {
	// Variable is the variable as it was written.
	Variable string
	// Why says what the workload or its pod template lacks.
	Why string
	// Field is what lacks it; InPod says that it is a field of the pod template and not of
	// the workload.
	Field string
	InPod bool
}

// Message says what is missing, and how to give a default.
func (u *Unset) Message() string {
	return fmt.Sprintf("${%s} has no value, because %s; add it, or give a default: ${%[1]s:-DEFAULT}", u.Variable, u.Why)
}

// Expand puts the subject's values in the places of the variables. As in a shell, a default
// stands for what is missing or empty.
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
			return "", s.unset()
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

func (s segment) unset() *Unset {
	why := s.source.where
	if s.source.keyed {
		why += fmt.Sprintf(" %q", s.key)
	}
	return &Unset{Variable: s.source.spelled(s.key), Why: why, Field: s.source.field, InPod: s.source.keyed}
}
