// Package refusal has what formats of pillion export cannot express: a table with a column for each format.
package refusal

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
)

// Entry is a field of the spec, or some values of it, and why formats of pillion export cannot express it.
type Entry struct {
	Field string // where [] stands for an entry of a list; or a flag, or a variable
	Find  Finder // nil finds any condition that the field declares

	Policy, Patch Reason // empty if it can be expressed
}

// Reason is why a format cannot express something.
type Reason struct {
	When string // the values that are refused; empty for all
	Why  string // one sentence, with the way out
}

// InPolicy returns why admission policies refuse it.
func (e Entry) InPolicy() Reason { return e.Policy }

// InPatch returns why patches refuse it.
func (e Entry) InPatch() Reason { return e.Patch }

// Finder returns where a plan has what is refused: entries and fields of the spec, whole paths of the config, or an
// empty text for the field of the entry itself.
type Finder func(p *injector.Plan) []string

// Find returns an error finding for everything in a plan that a format refuses, given its column.
func Find(p *injector.Plan, all []Entry, column func(Entry) Reason) (findings []finding.Finding) {
	if p.IsForeign() { // it lacks the fields that the reasons name
		why := "the rules of a " + p.Kind + " cannot be exported; write a SidecarInjector"
		return []finding.Finding{New(p.Injector, "kind", why)}
	}
	for _, e := range all {
		why := column(e).Why
		if why == "" {
			continue
		}
		_, inside, isInEntry := strings.Cut(e.Field, "[]")
		for _, at := range slices.Compact(e.find(p)) {
			if entry, _, _ := strings.Cut(at, "]"); at == "" {
				at = e.Field
			} else if isInEntry {
				at = entry + "]" + inside
			}
			findings = append(findings, New(p.Injector, at, why))
		}
	}
	return findings
}

// find returns where the plan has what is refused.
func (e Entry) find(p *injector.Plan) []string {
	if e.Find == nil {
		return ifCondition(func(c injector.Condition) bool { return c.Field == e.Field })(p)
	}
	return e.Find(p)
}

// New returns the finding about a field of the spec, a path of the config, a flag, or the kind.
func New(in *injector.Injector, at, why string) finding.Finding {
	at = in.PathOf(at)
	return finding.Finding{
		Severity: finding.Error,
		Code:     finding.NotExportable,
		Injector: in.Name,
		Field:    &finding.Field{Path: at},
		Message:  at + ": " + why,
	}
}

// IfSpec finds a field by the spec.
func IfSpec(has func(*v1alpha1.SidecarInjectorSpec) bool) Finder {
	return func(p *injector.Plan) []string {
		if has(&p.Spec) {
			return []string{""}
		}
		return nil
	}
}

// ifCondition finds a field by the conditions.
func ifCondition(has func(injector.Condition) bool) Finder {
	return func(p *injector.Plan) []string {
		if slices.ContainsFunc(p.Conditions(), has) {
			return []string{""}
		}
		return nil
	}
}

// IfContainer finds the containers of a plan for which a condition holds.
func IfContainer(has func(injector.Operation) bool) Finder {
	return IfOperation(func(op injector.Operation) bool { return op.Container != nil && has(op) })
}

// IfOperation finds the entries and fields of the spec that operations are from for which a condition holds.
func IfOperation(has func(injector.Operation) bool) Finder {
	return func(p *injector.Plan) (found []string) {
		for _, op := range p.Entries() {
			if has(op) {
				found = append(found, op.Field)
			}
		}
		return found
	}
}
