package injector

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/expression"
)

// Resources is a resourcesPolicy with its expressions parsed.
type Resources struct {
	Mode   v1alpha1.TargetContainersMode
	Names  *Pattern
	Fields []ResourceField

	// AsOpenKruise computes as a SidecarSet does: native sidecars count, a limit is left out if
	// a container has none, and a pod in which no container counts is refused.
	AsOpenKruise bool
}

// ResourceField is a field of a container's resources, with the expression that computes it.
type ResourceField struct {
	List string // requests or limits
	Name string // cpu or memory, which is also the expression's variable
	Expr *expression.Expression
}

// newResources parses a checked policy.
func newResources(policy *v1alpha1.ResourcesPolicy, p *patterns) *Resources {
	if policy == nil {
		return nil
	}
	r := &Resources{Mode: policy.TargetContainersMode, Names: p.find(policy.TargetContainersNameRegex, false)}
	for _, field := range writtenExpressions(policy.ResourcesExpr) {
		if parsed, err := expression.Parse(field.text, field.name); err == nil {
			r.Fields = append(r.Fields, ResourceField{List: field.list, Name: field.name, Expr: parsed})
		}
	}
	return r
}

// writtenExpression is an expression as it was written, and the field that it computes.
type writtenExpression struct{ list, name, text string }

// writtenExpressions returns the expressions of a policy, in the order in which they are computed.
func writtenExpressions(written v1alpha1.ResourcesExpr) []writtenExpression {
	var all []writtenExpression
	add := func(list string, e *v1alpha1.ComputeExpr) {
		if e != nil {
			all = append(all, writtenExpression{list, "cpu", e.CPU}, writtenExpression{list, "memory", e.Memory})
		}
	}
	add("requests", written.Requests)
	add("limits", written.Limits)
	return slices.DeleteFunc(all, func(e writtenExpression) bool { return e.text == "" })
}
