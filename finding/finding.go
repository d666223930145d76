// Package finding is what Pillion says: one value for each decision and each
// problem, which reports render and callers count.
package finding

import (
	"strconv"
	"strings"
)

// Severity says how much a finding matters. The order is the order of weight.
type Severity int

// The severities of the function specification.
const (
	Info Severity = iota
	Warning
	Error
)

// String is the spelling that the function specification uses in results.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "info"
	}
}

// Object names the Kubernetes object that a finding is about.
type Object struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
}

// String reads as kubectl writes it, with the namespace behind: deployment/web (shop).
func (o Object) String() string {
	s := strings.ToLower(o.Kind)
	if o.Name != "" {
		s += "/" + o.Name
	}
	if o.Namespace != "" {
		s += " (" + o.Namespace + ")"
	}
	return s
}

// Field is the place inside the object, with what stands there and what was
// wanted. Empty values are left out of reports.
type Field struct {
	Path     string
	Current  string
	Proposed string
}

// Stdin is the path of what was read from standard input, which is in no file.
const Stdin = "<stdin>"

// File is where the object came from: as the orchestrator told, or where it was read.
type File struct {
	Path  string
	Index int // of the object among those in the file

	// Line and Column are the place in the file, from 1; 0 where it is not known.
	Line, Column int
}

// String is the place as editors and compilers write it: k8s/web.yaml:12:7.
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

// Finding is one line for people and machines.
type Finding struct {
	Severity Severity
	Code     Code
	Message  string
	Detail   string // lines that go with the message, such as a diff
	Injector string // the injector that decided; empty where none did
	Object   *Object
	Field    *Field
	File     *File
}

// Count is how many findings have the severity.
func Count(findings []Finding, severity Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// HasError tells whether any finding is an error: then nothing may be changed.
func HasError(findings []Finding) bool {
	for _, f := range findings {
		if f.Severity == Error {
			return true
		}
	}
	return false
}
