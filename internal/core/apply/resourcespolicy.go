package apply

import (
	"fmt"
	"math/big"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/expression"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// computeResources sets the resources of the body that its policy computes from the app's. A result of 0 is left out.
func (r *recipient) computeResources(policy *injector.Resources) {
	if policy == nil {
		return
	}
	targets := r.targets(policy)
	if len(targets) == 0 {
		r.reportNoTargets(policy)
	}
	if !r.pod.Room.Charge(len(targets) * len(policy.Fields) * meter.PerQuantity) {
		return
	}
	for _, field := range policy.Fields {
		if policy.AsOpenKruise && field.List == "limits" && isUnlimited(targets, field.Name) {
			continue
		}
		text, err := compute(field, policy.Mode, targets)
		if err != nil {
			r.report(finding.Error, finding.ResourcesRefused,
				"the %s.%s of container %q cannot be computed by %s: %s; "+
					"correct resourcesPolicy, or the app's resources",
				field.List, field.Name, r.name, field.Expr, err)
			continue
		}
		if text != "" {
			node.Set(node.OwnMapping(node.OwnMapping(r.body, "resources"), field.List), field.Name, node.String(text))
		}
	}
	r.checkLimits()
}

// reportNoTargets reports that no container of the app counts, and why.
func (r *recipient) reportNoTargets(policy *injector.Resources) {
	severity := finding.Warning
	result := "are computed from 0"
	if policy.AsOpenKruise {
		severity = finding.Error
		result = "cannot be computed"
	}
	why := "the pod has no container of the app; set resources instead of resourcesPolicy, or exclude this pod"
	if policy.Names.String() != "" {
		why = "no container of the app matches targetContainersNameRegex; correct it"
	}
	r.report(severity, finding.NoTargetContainers, "the resources of container %q %s, because %s", r.name, result, why)
}

// targets returns the app's containers that count, as the app has them. To OpenKruise native sidecars count as well.
func (r *recipient) targets(policy *injector.Resources) []*node.Node {
	var targets []*node.Node
	if !r.pod.Room.Charge(pod.CountContainers(r.pod.AppView.At("", "spec")) * meter.PerContainer) {
		return nil
	}
	for at, c := range pod.Containers(r.pod.AppView.At("", "spec")) {
		name := node.Text(c, "name")
		isCandidate := at.List == containers || policy.AsOpenKruise && pod.IsNative(at.List, c)
		isApps := name == "" || r.pod.appContainer(at.List, name) != nil
		if isCandidate && isApps && r.pod.Room.Charge(policy.Names.Steps(name)) && policy.Names.MatchString(name) {
			targets = append(targets, c)
		}
	}
	return targets
}

// isUnlimited reports whether one of the containers has no limit.
func isUnlimited(targets []*node.Node, resource string) bool {
	return slices.ContainsFunc(targets, func(c *node.Node) bool {
		return node.Amount(c, "resources", "limits", resource) == ""
	})
}

// compute returns the quantity of one field, or "" if it is not positive.
func compute(field injector.ResourceField, mode v1alpha1.TargetContainersMode, targets []*node.Node) (string, error) {
	variable := new(big.Rat)
	for _, target := range targets {
		amount, err := amountOf(target, field.List, field.Name)
		if err != nil {
			return "", err
		}
		switch {
		case mode == v1alpha1.TargetContainersSum:
			variable.Add(variable, amount)
		case amount.Cmp(variable) > 0:
			variable = amount
		}
	}
	result, err := field.Expr.Evaluate(variable)
	switch {
	case err != nil:
		return "", fmt.Errorf("with %s = %s, %w", field.Name, variable.RatString(), err)
	case result.Sign() <= 0:
		return "", nil
	case field.Name == "cpu":
		return expression.CPU(result)
	default:
		return expression.Memory(result)
	}
}

// amountOf returns how much a container of the app requests, or its limit; 0 if it has none. Without a request,
// Kubernetes uses the limit.
func amountOf(container *node.Node, list, name string) (*big.Rat, error) {
	text := node.Amount(container, "resources", list, name)
	if text == "" && list == "requests" {
		text = node.Amount(container, "resources", "limits", name)
	}
	if text == "" {
		return new(big.Rat), nil
	}
	amount, err := expression.Quantity(text)
	if err != nil {
		return nil, fmt.Errorf("container %q has %s.%s: %w", node.Text(container, "name"), list, name, err)
	}
	return amount, nil
}

// checkLimits reports requests above limits, which the API server refuses.
func (r *recipient) checkLimits() {
	for _, name := range []string{"cpu", "memory"} {
		request := node.Amount(r.body, "resources", "requests", name)
		limit := node.Amount(r.body, "resources", "limits", name)
		asked, err := expression.Quantity(request)
		if err != nil {
			continue
		}
		if allowed, err := expression.Quantity(limit); err == nil && asked.Cmp(allowed) > 0 {
			r.report(finding.Error, finding.ResourcesRefused,
				"container %q would request %s of %s, which is more than its limit of %s; "+
					"correct resourcesPolicy, such as by min()",
				r.name, request, name, limit)
		}
	}
}
