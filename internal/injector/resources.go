package injector

import (
	"regexp"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/expression"
)

// Resources is a resourcesPolicy, ready to compute.
type Resources struct {
	Mode   v1alpha1.TargetContainersMode
	Names  *regexp.Regexp
	Fields []ResourceField

	// AsOpenKruise computes as a SidecarSet does: native sidecars count, a limit is left out where
	// a container has none, and a pod in which no container counts is refused.
	AsOpenKruise bool
}

// ResourceField is one field of a container's resources and the expression for it.
type ResourceField struct {
	List string // requests or limits
	Name string // cpu or memory, which is the expression's variable, too
	Expr *expression.Expression
}

// resourcesOf makes a checked policy ready.
func resourcesOf(policy *v1alpha1.ResourcesPolicy, p *patterns) *Resources {
	if policy == nil {
		return nil
	}
	r := &Resources{Mode: policy.TargetContainersMode, Names: p.find(policy.TargetContainersNameRegex, false)}
	for _, field := range expressionsOf(policy.ResourcesExpr) {
		if parsed, err := expression.Parse(field.text, field.name); err == nil {
			r.Fields = append(r.Fields, ResourceField{List: field.list, Name: field.name, Expr: parsed})
		}
	}
	return r
}

// writtenExpression is an expression as it was written, and the field that it is for.
type writtenExpression struct{ list, name, text string }

// expressionsOf lists the expressions that a policy has, in the order in which they are computed.
func expressionsOf(written v1alpha1.ResourcesExpr) []writtenExpression {
	var found []writtenExpression
	for _, list := range []struct {
		name  string
		exprs *v1alpha1.ComputeExpr
	}{{"requests", written.Requests}, {"limits", written.Limits}} {
		if list.exprs == nil {
			continue
		}
		for _, expr := range []writtenExpression{{list.name, "cpu", list.exprs.CPU}, {list.name, "memory", list.exprs.Memory}} {
			if expr.text != "" {
				found = append(found, expr)
			}
		}
	}
	return found
}
