// Package finding says what is found, and where. A Finding is one decision or one problem: how severe it is, its reason
// as a Code, the object, field and file that it is about, and a message for people. A Source is a text that a run
// reads, with the name of its file for the findings about it.
//
//	for _, f := range result.Findings {
//		if f.Code == finding.PortConflict {
//			fmt.Println(f.Object, f.Field.Path, f.Message)
//		}
//	}
package finding

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/escape"
)

// Severity is how much a finding matters. A higher one matters more. In JSON, it is the word that String returns.
type Severity int

// The severities of the function specification. An Error means that nothing was changed, or if the run keeps going,
// that its workload was not.
const (
	Info Severity = iota
	Warning
	Error
)

// severities are the words of the function specification.
var severities = []string{Info: "info", Warning: "warning", Error: "error"}

// String returns the severity as in results of the function specification: error, warning or info.
func (s Severity) String() string { return severities[min(max(s, Info), Error)] }

// MarshalText returns the severity as String does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	known := slices.Index(severities, string(text))
	if known < 0 {
		return fmt.Errorf("the severity %q is not known; it is error, warning or info", text)
	}
	*s = Severity(known)
	return nil
}

// Object identifies the Kubernetes object that a finding is about.
type Object struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
}

// String returns the object as kubectl writes it, followed by its namespace: deployment/web (shop).
func (o Object) String() string {
	s := strings.ToLower(o.Kind)
	switch {
	case o.Name != "" && s != "":
		s += "/" + o.Name
	case o.Name != "":
		s = o.Name
	}
	if o.Namespace != "" {
		s += " (" + o.Namespace + ")"
	}
	return s
}

// Field is a field of the object, with the value that it has and the one that it should have. Both may be empty.
type Field struct {
	Path     string // such as spec.template.spec.containers[0].image
	Current  string
	Proposed string
}

// Stdin is the path of what was read from standard input.
const Stdin = "<stdin>"

// File is the location that the object was read from. In a ResourceList, annotations of the object contain it.
type File struct {
	Path  string
	Index int // of the object among those in the file

	// Line and Column say where it is in the file, from 1; 0 if that is not known.
	Line, Column int
}

// String returns the location as compilers write it: k8s/web.yaml:12:7.
func (f File) String() string {
	s := f.Path
	for _, number := range []int{f.Line, f.Column} {
		if number == 0 {
			break
		}
		s += ":" + strconv.Itoa(number)
	}
	return s
}

// Finding is one decision or one problem. One that is an error can be returned as an error, and errors.As finds it.
type Finding struct { //nolint:errname // most findings are not errors
	Severity Severity
	Code     Code
	Message  string
	Detail   string  // more lines, such as a diff
	Injector string  // the name of the injector; empty if the finding is not about one
	Object   *Object // nil if the finding is about the run as a whole
	Field    *Field  // nil if the finding is not about one field
	File     *File   // nil if the file is not known
}

// String returns the finding for people: severity, code, object, message and injector; then its details, a line each.
// If the file is known, it comes first, in the form that editors jump to. Control characters are escaped.
func (f Finding) String() string {
	head := f.Severity.String() + " " + string(f.Code) + ": "
	if f.File != nil && f.File.Path != "" {
		head = escape.Line(f.File.String()) + ": " + f.Severity.String() + ": " + string(f.Code) + ": "
	}
	message := f.Message
	if f.Object != nil {
		message = f.Object.String() + ": " + message
	}
	if isAboutInjector := f.isAboutConfig() && f.Object != nil && f.Object.Name == f.Injector; f.Injector != "" && !isAboutInjector {
		message += " [" + f.Injector + "]"
	}
	var text strings.Builder // a diff may have many lines
	text.WriteString(head + escape.Line(message))
	for detail := range strings.Lines(f.Detail) {
		text.WriteString("\n    " + escape.Line(strings.TrimSuffix(detail, "\n")))
	}
	return text.String()
}

// Error returns the finding for people, as String does.
func (f Finding) Error() string { return f.String() }

// isAboutConfig reports whether the object of the finding, if any, is a config.
func (f Finding) isAboutConfig() bool {
	return f.Code == InvalidConfig || f.Code == FieldIgnored || f.Code == UnknownField
}

// Count returns how many findings have a severity.
func Count(findings []Finding, severity Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// HasError reports whether any finding is an error.
func HasError(findings []Finding) bool { return Count(findings, Error) > 0 }

// Err returns the findings that are errors as one error, with a line for each, or nil if there are none. With
// errors.As, it gives the first of them.
func Err(findings []Finding) error {
	var errs []error
	for _, f := range findings {
		if f.Severity == Error {
			errs = append(errs, f)
		}
	}
	return errors.Join(errs...)
}
