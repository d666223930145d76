package plan

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
)

// Refusal is a field of the spec, or some values of it, and why formats of pillion export cannot express it.
type Refusal struct {
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
func (r Refusal) InPolicy() Reason { return r.Policy }

// InPatch returns why patches refuse it.
func (r Refusal) InPatch() Reason { return r.Patch }

// Finder returns where a plan has what is refused: entries and fields of the spec, whole paths of the config, or an
// empty text for the field of the refusal itself.
type Finder func(p *Plan) []string

// Refused returns an error finding for everything in the plan that a format refuses.
func (p *Plan) Refused(all []Refusal, in func(Refusal) Reason) (findings []finding.Finding) {
	if p.IsForeign() { // it lacks the fields that the reasons name
		return []finding.Finding{p.NotExportable("kind", "the rules of a "+p.Kind+" cannot be exported; write a SidecarInjector")}
	}
	for _, r := range all {
		why := in(r).Why
		if why == "" {
			continue
		}
		_, inside, isInEntry := strings.Cut(r.Field, "[]")
		for _, at := range slices.Compact(r.find(p)) {
			if entry, _, _ := strings.Cut(at, "]"); at == "" {
				at = r.Field
			} else if isInEntry {
				at = entry + "]" + inside
			}
			findings = append(findings, p.NotExportable(at, why))
		}
	}
	return findings
}

// find returns where the plan has what is refused.
func (r Refusal) find(p *Plan) []string {
	if r.Find == nil {
		return ifCondition(func(c injector.Condition) bool { return c.Field == r.Field })(p)
	}
	return r.Find(p)
}

// NotExportable returns the finding about a field of the spec, a path of the config, a flag, or the kind.
func (p *Plan) NotExportable(at, why string) finding.Finding {
	at = p.PathOf(at)
	return finding.Finding{
		Severity: finding.Error, Code: finding.NotExportable, Injector: p.Name, Field: &finding.Field{Path: at}, Message: at + ": " + why,
	}
}

// PathOf returns the path in the config of a field of the spec, such as containers[0].before.
func (p *Plan) PathOf(field string) string {
	name := field[:strings.IndexAny(field+".", ".[")]
	if isPath := strings.HasPrefix(field, strings.TrimSuffix(p.At("x"), "x")); isPath || name == "kind" || strings.HasPrefix(name, "-") {
		return field
	}
	return p.At(name) + field[len(name):]
}

// IfSpec finds a field by the spec.
func IfSpec(has func(*v1alpha1.SidecarInjectorSpec) bool) Finder {
	return func(p *Plan) []string {
		if has(&p.Spec) {
			return []string{""}
		}
		return nil
	}
}

// ifCondition finds a field by the conditions.
func ifCondition(has func(injector.Condition) bool) Finder {
	return func(p *Plan) []string {
		if slices.ContainsFunc(p.Conditions(), has) {
			return []string{""}
		}
		return nil
	}
}

// IfContainer finds the containers of a plan for which a condition holds.
func IfContainer(has func(Operation) bool) Finder {
	return IfOperation(func(op Operation) bool { return op.Container != nil && has(op) })
}

// IfOperation finds the entries and fields of the spec that operations are from for which a condition holds.
func IfOperation(has func(Operation) bool) Finder {
	return func(p *Plan) (found []string) {
		for _, op := range p.Entries() {
			if has(op) {
				found = append(found, op.Field)
			}
		}
		return found
	}
}

// Entries returns the operations that come from entries and fields of the config.
func (p *Plan) Entries() (all []Operation) {
	for _, step := range p.Steps {
		for _, op := range step.Operations {
			if op.Value != nil {
				all = append(all, op)
			}
		}
	}
	return all
}
