package admission

import (
	"regexp"
	"slices"
	"sync"
)

// policy is a policy before it is written.
type policy struct {
	leftAlone   []string          // namespaces in which the policy has no effect
	conditions  []namedExpression // the matchConditions: it has no effect on a pod for which one of them is false
	variables   []namedExpression // later expressions use them as variables.NAME
	operations  []operations      // of a mutating policy
	validations []validation      // of a validating policy

	names  map[string]bool // of the variables
	source source          // of the expressions that are added next
}

// namedExpression is a condition or a variable of the policy.
type namedExpression struct {
	name, comment, expression string
	source                    source
}

// operations is an expression for a list of JSONPatch operations. All of them together are the one mutation of the policy.
type operations struct {
	comment, expression string
	source              source
}

// validation is a condition that a pod must meet. The message expression is CEL, because messages name what was found.
type validation struct {
	comment, expression, message, messageExpression string
	source                                          source
}

// from sets the field that the expressions come from that are added next.
func (p *policy) from(in *compiled, field string) {
	p.source = source{in.Name, fieldPath(in.Injector, field)}
}

// validate adds a validation.
func (p *policy) validate(v validation) {
	v.source = p.source
	p.validations = append(p.validations, v)
}

// add adds a variable, and returns the expression that uses it. Names of containers and injectors may together give a name that is taken.
func (p *policy) add(name, comment, expression string) string {
	for p.names[name] {
		name += "_"
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	p.names[name] = true
	p.variables = append(p.variables, namedExpression{name, comment, expression, p.source})
	return "variables." + name
}

var usesOfVariables = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bvariables\.(\w+)`) })

// removeUnused removes the variables that no other expression uses, so that people have less to review.
func (p *policy) removeUnused() {
	isUsed := map[string]bool{}
	use := func(expression string) {
		for _, found := range usesOfVariables().FindAllStringSubmatch(expression, -1) {
			isUsed[found[1]] = true
		}
	}
	for _, o := range p.operations {
		use(o.expression)
	}
	for _, v := range p.validations {
		use(v.expression)
		use(v.messageExpression)
	}
	var used []namedExpression
	for _, v := range slices.Backward(p.variables) { // a variable uses those before it
		if isUsed[v.name] {
			use(v.expression)
			used = append(used, v)
		}
	}
	slices.Reverse(used)
	p.variables = used
}
