package admission

// policy is a policy before it is written.
type policy struct {
	leftAlone   []string // namespaces in which the policy has no effect
	conditions  []condition
	variables   []variable
	operations  []operations // of a mutating policy
	validations []validation // of a validating policy
	runsOnce    bool         // a mutating policy must not run again if others change the pod after it

	names map[string]bool // of the variables
}

// condition is one of the matchConditions: a policy has no effect on a pod for which one of them is false.
type condition struct{ name, comment, expression string }

// variable is a named expression. Later expressions of the policy use it as variables.NAME.
type variable struct{ name, comment, expression string }

// operations is an expression for a list of JSONPatch operations. All of them together are the one mutation of the policy.
type operations struct{ comment, expression string }

// validation is a condition that a pod must meet. The message expression is CEL, because messages name what was found.
type validation struct{ comment, expression, message, messageExpression string }

// add adds a variable, and returns the expression that uses it. Names of containers and injectors may together give a name that is taken.
func (p *policy) add(name, comment, expression string) string {
	for p.names[name] {
		name += "_"
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	p.names[name] = true
	p.variables = append(p.variables, variable{name, comment, expression})
	return "variables." + name
}
