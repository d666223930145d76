package apirules

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// restarts reports fields that end a pod although its workload keeps pods running.
func (p *checkedPod) restarts() {
	if !runsForever(p.Kind) {
		return
	}
	add := func(field, format string, args ...any) {
		p.add(finding.InvalidPod, field, p.At("spec."+field), fmt.Sprintf("the pod of a "+p.Kind.Kind+" "+format, args...))
	}
	const remedy = "take it out of spec.podSpec, or keep the workload out by spec.rules"
	if policy := node.Text(p.Spec(), "restartPolicy"); policy != "" && policy != "Always" {
		add("restartPolicy", "must have the restartPolicy Always, and this is %s; "+remedy, policy)
	}
	if isSet(p.Spec(), "activeDeadlineSeconds") {
		add("activeDeadlineSeconds", "cannot have activeDeadlineSeconds; "+remedy)
	}
}

// runsForever reports whether a kind keeps its pods running, and refuses pods that end.
func runsForever(kind podtemplate.Kind) bool {
	switch kind.Group {
	case "", "apps", "extensions", "apps.kruise.io", "argoproj.io":
		return kind.Kind != "" && kind.Kind != "Pod" && kind.Kind != "PodTemplate" && !kind.Finishes
	}
	return false
}

// The most rules and exit codes that the API server accepts.
const (
	maxRestartRules = 20
	maxExitCodes    = 255
)

// restartRules reports rules for restarts without a policy, and rules that are incomplete or too many.
func (p *checkedPod) restartRules(c container) {
	rules := node.List(c.Node, "restartPolicyRules")
	add := func(key, field, format string, args ...any) {
		p.report(c, finding.InvalidContainer, "restartPolicyRules "+key, field, format, args...)
	}
	if len(rules) > 0 && !isSet(c.Node, "restartPolicy") {
		add("policy", "restartPolicyRules", "has restartPolicyRules without a restartPolicy; set that, or remove the rules")
	}
	if len(rules) > maxRestartRules {
		add("number", "restartPolicyRules", "has %d restartPolicyRules; the most is %d", len(rules), maxRestartRules)
	}
	for i, rule := range rules {
		at, operator := entry("restartPolicyRules", i)+".exitCodes", node.Text(rule, "exitCodes", "operator")
		switch codes := node.List(rule, "exitCodes", "values"); {
		case !isSet(rule, "exitCodes"):
			add("exitCodes", at, "has a restart rule without exitCodes; add them")
		case operator != "In" && operator != "NotIn":
			add("operator", at+".operator", "has a restart rule with the operator %q; write In or NotIn", operator)
		case len(codes) > maxExitCodes:
			add("values", at+".values", "has a restart rule with %d exit codes; the most is %d", len(codes), maxExitCodes)
		}
	}
}

// resizes reports two resize policies for one resource, and policies that restart a container that is never restarted.
func (p *checkedPod) resizes() {
	never := node.Text(p.Spec(), "restartPolicy") == "Never"
	for _, c := range p.containers {
		policies := node.List(c.Node, "resizePolicy")
		for i, resource := range repeats(policies, "resourceName") {
			p.report(c, finding.InvalidContainer, "resize twice "+resource, entry("resizePolicy", i),
				"has two resize policies for %s; remove one", resource)
		}
		for i, policy := range policies {
			if node.Text(policy, "restartPolicy") == "RestartContainer" && (never || !c.runs) {
				resource := node.Text(policy, "resourceName")
				p.report(c, finding.InvalidContainer, "resize "+resource, entry("resizePolicy", i)+".restartPolicy",
					"is to be restarted to change its %s, and is not restarted in this pod; write NotRequired", resource)
			}
		}
	}
}
