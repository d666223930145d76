package apiserver

import (
	"errors"
	"fmt"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// The optional variables of an expression. Only the expression of a mutation has the types of patches: a variable
// cannot contain a JSONPatch, or use jsonpatch.escapeKey.
var (
	conditionVariables = plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
	mutationVariables  = plugincel.OptionalVariableDeclarations{HasAuthorizer: true, HasPatchTypes: true}
	messageVariables   = plugincel.OptionalVariableDeclarations{}
)

// policyKind returns the kind of a policy, given its kind or that of its binding.
func policyKind(kind string) string { return strings.TrimSuffix(kind, "Binding") }

func (all *objects) compile(env *environment.EnvSet) (*Policies, error) {
	policies := &Policies{}
	for _, policy := range all.mutating {
		bindings := boundTo(policy.Name, all.mutatingBindings,
			func(b *admissionregistration.MutatingAdmissionPolicyBinding) string { return b.Spec.PolicyName })
		for _, binding := range bindings {
			setDefaults(binding.Spec.MatchResources)
		}
		evaluator, err := compileMutating(policy, env)
		if err = errors.Join(err, unbound(len(bindings))); err != nil {
			return nil, fmt.Errorf("MutatingAdmissionPolicy %s: %w", policy.Name, err)
		}
		policies.mutating = append(policies.mutating, mutating.PolicyHook{Policy: policy, Bindings: bindings, Evaluator: evaluator})
	}
	for _, policy := range all.validating {
		bindings := boundTo(policy.Name, all.validatingBindings,
			func(b *admissionregistration.ValidatingAdmissionPolicyBinding) string { return b.Spec.PolicyName })
		for _, binding := range bindings {
			setDefaults(binding.Spec.MatchResources)
		}
		evaluator, err := compileValidating(policy, env)
		if err = errors.Join(err, unbound(len(bindings))); err != nil {
			return nil, fmt.Errorf("ValidatingAdmissionPolicy %s: %w", policy.Name, err)
		}
		policies.validating = append(policies.validating, validating.PolicyHook{Policy: policy, Bindings: bindings, Evaluator: evaluator})
	}
	return policies, nil
}

func boundTo[B any](policy string, bindings []*B, policyName func(*B) string) []*B {
	var bound []*B
	for _, binding := range bindings {
		if policyName(binding) == policy {
			bound = append(bound, binding)
		}
	}
	return bound
}

func unbound(bindings int) error {
	if bindings == 0 {
		return errors.New("no binding names it")
	}
	return nil
}

// setDefaults sets what the API server sets when it stores a policy.
func setDefaults(resources *admissionregistration.MatchResources) {
	if resources == nil {
		return
	}
	if resources.NamespaceSelector == nil {
		resources.NamespaceSelector = &metav1.LabelSelector{}
	}
	if resources.ObjectSelector == nil {
		resources.ObjectSelector = &metav1.LabelSelector{}
	}
	if resources.MatchPolicy == nil {
		equivalent := admissionregistration.Equivalent
		resources.MatchPolicy = &equivalent
	}
	for _, rules := range [][]admissionregistration.NamedRuleWithOperations{resources.ResourceRules, resources.ExcludeResourceRules} {
		for i := range rules {
			if rules[i].Scope == nil {
				all := admissionregistration.AllScopes
				rules[i].Scope = &all
			}
		}
	}
}

// compiler compiles the expressions of a policy and collects their errors.
type compiler struct {
	*plugincel.CompositedCompiler
	errs []error
}

func newCompiler(env *environment.EnvSet, variables []admissionregistration.Variable) (*compiler, error) {
	composited, err := plugincel.NewCompositedCompiler(env)
	if err != nil {
		return nil, err
	}
	c := &compiler{CompositedCompiler: composited}
	for _, v := range variables {
		variable := &validating.Variable{Name: v.Name, Expression: v.Expression}
		c.check("variable "+v.Name, c.CompileAndStoreVariable(variable, conditionVariables, environment.NewExpressions))
	}
	return c, nil
}

func (c *compiler) check(what string, result plugincel.CompilationResult) {
	if result.Error != nil {
		c.errs = append(c.errs, fmt.Errorf("%s: %w", what, result.Error))
	}
}

// conditions compiles expressions which may be nil.
func (c *compiler) conditions(what string, expressions []plugincel.ExpressionAccessor, variables plugincel.OptionalVariableDeclarations,
) plugincel.ConditionEvaluator {
	for i, expression := range expressions {
		if expression != nil {
			c.check(fmt.Sprintf("%s %d", what, i), c.CompileCELExpression(expression, variables, environment.NewExpressions))
		}
	}
	return c.CompileCondition(expressions, variables, environment.NewExpressions)
}

func (c *compiler) matcher(conditions []admissionregistration.MatchCondition, failure *admissionregistration.FailurePolicyType,
	policy string,
) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	expressions := make([]plugincel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		expressions[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	evaluator := c.conditions("matchCondition", expressions, conditionVariables)
	return matchconditions.NewMatcher(evaluator, failure, "policy", "validate", policy)
}

func compileMutating(policy *admissionregistration.MutatingAdmissionPolicy, env *environment.EnvSet) (mutating.PolicyEvaluator, error) {
	setDefaults(policy.Spec.MatchConstraints)
	c, err := newCompiler(env, policy.Spec.Variables)
	if err != nil {
		return mutating.PolicyEvaluator{}, err
	}
	evaluator := mutating.PolicyEvaluator{
		CompositedCompiler: c.CompositedCompiler,
		Matcher:            c.matcher(policy.Spec.MatchConditions, policy.Spec.FailurePolicy, policy.Name),
	}
	if policy.Spec.ReinvocationPolicy == "" {
		c.errs = append(c.errs, errors.New("reinvocationPolicy: Required value"))
	}
	for i, mutation := range policy.Spec.Mutations {
		what := fmt.Sprintf("mutation %d", i)
		if mutation.JSONPatch == nil || mutation.PatchType != admissionregistration.PatchTypeJSONPatch {
			c.errs = append(c.errs, fmt.Errorf("%s: only JSONPatch is supported here", what))
			continue
		}
		expression := &patch.JSONPatchCondition{Expression: mutation.JSONPatch.Expression}
		compiled := c.CompileMutatingEvaluator(expression, mutationVariables, environment.NewExpressions)
		if errs := compiled.CompilationErrors(); len(errs) > 0 {
			c.errs = append(c.errs, fmt.Errorf("%s: %w", what, errors.Join(errs...)))
		}
		evaluator.Mutators = append(evaluator.Mutators, patch.NewJSONPatcher(metered{compiled}))
	}
	return evaluator, errors.Join(c.errs...)
}

func compileValidating(policy *admissionregistration.ValidatingAdmissionPolicy, env *environment.EnvSet) (validating.Validator, error) {
	setDefaults(policy.Spec.MatchConstraints)
	c, err := newCompiler(env, policy.Spec.Variables)
	if err != nil {
		return nil, err
	}
	n := len(policy.Spec.Validations)
	expressions, messages := make([]plugincel.ExpressionAccessor, n), make([]plugincel.ExpressionAccessor, n)
	for i, v := range policy.Spec.Validations {
		c.errs = append(c.errs, checkMessage(i, v)...)
		expressions[i] = &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
		if v.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	annotations := make([]plugincel.ExpressionAccessor, len(policy.Spec.AuditAnnotations))
	for i, a := range policy.Spec.AuditAnnotations {
		annotations[i] = &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
	}
	return validating.NewValidator(
		c.conditions("validation", expressions, conditionVariables),
		c.matcher(policy.Spec.MatchConditions, policy.Spec.FailurePolicy, policy.Name),
		c.conditions("auditAnnotation", annotations, conditionVariables),
		c.conditions("messageExpression", messages, messageVariables),
		policy.Spec.FailurePolicy, nil,
	), errors.Join(c.errs...)
}

// checkMessage reports what the API server refuses in the message of a validation.
func checkMessage(index int, v admissionregistration.Validation) (errs []error) {
	message := strings.TrimSpace(v.Message)
	if v.Message != "" && message == "" {
		errs = append(errs, fmt.Errorf("validation %d: the message is blank", index))
	}
	if strings.Contains(message, "\n") {
		errs = append(errs, fmt.Errorf("validation %d: the message has line breaks", index))
	}
	if message == "" && strings.Contains(strings.TrimSpace(v.Expression), "\n") {
		errs = append(errs, fmt.Errorf("validation %d: an expression with line breaks needs a message", index))
	}
	return errs
}
