package admission

import (
	"fmt"
	"unicode/utf8"

	"pillion.dev/pillion/finding"
)

// The limits of the API server: the code points of an expression, and the bytes of an object that etcd stores by default.
const (
	maxExpression = 100_000
	maxObject     = 3 << 19 // 1.5 MiB
)

// bytesForEach is what an object needs in addition for each expression: its name, and its entry in metadata.managedFields.
const bytesForEach = 200

// source is the field of an injector that an expression comes from: the one to change if the expression is too long.
type source struct{ injector, field string }

// sizes are the lengths of texts by their sources.
type sizes map[source]int

// largest returns the source of most of the text. If two have the same size, it is the first by name.
func (s sizes) largest() source {
	var largest source
	for at, size := range s {
		if most := s[largest]; size > most || size == most && at.field < largest.field {
			largest = at
		}
	}
	return largest
}

// checkLengths returns an error finding for each expression and each policy that is longer than the API server allows.
func (p Policies) checkLengths() []finding.Finding {
	var findings []finding.Finding
	for _, of := range []*policy{p.mutating, p.validating} {
		if of != nil {
			findings = append(findings, of.checkLengths()...)
		}
	}
	return findings
}

func (p *policy) checkLengths() []finding.Finding {
	var findings []finding.Finding
	total, whole := sizes{}, 0
	check := func(at source, what, expression string) {
		total[at] += len(expression)
		whole += len(expression) + bytesForEach
		if n := utf8.RuneCountInString(expression); n > maxExpression {
			findings = append(findings, tooLong(at, "%s has %d characters, and the API server accepts at most %d", what, n, maxExpression))
		}
	}
	for _, c := range p.conditions {
		check(c.source, "the condition "+c.name, c.expression)
	}
	for _, v := range p.variables {
		check(v.source, fmt.Sprintf("the expression for %s (variable %s)", v.comment, v.name), v.expression)
	}
	for _, v := range p.validations {
		check(v.source, "the validation for "+v.comment, v.expression)
		check(v.source, "the message of the validation for "+v.comment, v.messageExpression)
	}
	if len(p.operations) > 0 {
		operations := sizes{}
		for _, o := range p.operations {
			operations[o.source] += len(o.expression)
		}
		check(operations.largest(), "the expression for the operations of the mutating policy", p.mutation())
	}
	if whole > maxObject && len(findings) == 0 {
		findings = append(findings, tooLong(total.largest(), "a policy has about %d bytes, and etcd stores at most %d", whole, maxObject))
	}
	return findings
}

// tooLong returns an error finding about an expression that is too long.
func tooLong(at source, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: finding.Error, Code: finding.NotExportable, Injector: at.injector, Field: &finding.Field{Path: at.field},
		Message: at.field + ": " + fmt.Sprintf(format, args...) +
			"; make this field shorter, for example by reading variables from a ConfigMap with envFrom",
	}
}
