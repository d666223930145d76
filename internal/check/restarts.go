package check

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// restarts checks that pods that are to run forever do not end.
func (p *pod) restarts() {
	if !runsForever(p.Kind) {
		return
	}
	if policy := node.Text(p.Spec(), "restartPolicy"); policy != "" && policy != "Always" {
		p.wrong(finding.InvalidPod, "restartPolicy", p.At("spec.restartPolicy"),
			"the pod of a %s must have the restartPolicy Always, and this is %s; take it out of spec.podSpec, or keep the workload out by "+
				"spec.rules", p.Kind.Kind, policy)
	}
	if set(p.Spec(), "activeDeadlineSeconds") {
		p.wrong(finding.InvalidPod, "activeDeadlineSeconds", p.At("spec.activeDeadlineSeconds"),
			"the pod of a %s cannot have activeDeadlineSeconds; take it out of spec.podSpec, or keep the workload out by spec.rules", p.Kind.Kind)
	}
}

// runsForever tells whether a kind keeps its pods running, and refuses others.
func runsForever(kind podtemplate.Kind) bool {
	switch kind.Group {
	case "", "apps", "extensions", "apps.kruise.io", "argoproj.io":
		return kind.Kind != "" && kind.Kind != "Pod" && kind.Kind != "PodTemplate" && !kind.Finishes
	}
	return false
}

// restartRules checks that rules for restarts come with a policy.
func (p *pod) restartRules(c container) {
	if len(node.List(c.Node, "restartPolicyRules")) > 0 && !set(c.Node, "restartPolicy") {
		p.wrong(finding.InvalidContainer, c.name+" restartPolicyRules", p.path(c, "restartPolicyRules"),
			"container %q has restartPolicyRules without a restartPolicy; set that, or remove the rules", c.name)
	}
}

// resizes checks that only containers that are restarted at all are restarted to be resized.
func (p *pod) resizes() {
	never := node.Text(p.Spec(), "restartPolicy") == "Never"
	for _, c := range p.containers {
		var resources names
		for i, policy := range node.List(c.Node, "resizePolicy") {
			at, resource := p.path(c, "resizePolicy["+strconv.Itoa(i)+"]"), node.Text(policy, "resourceName")
			if _, again := resources.add(resource); again {
				p.wrong(finding.InvalidContainer, c.name+" resize twice "+resource, at,
					"container %q has two resize policies for %s; remove one", c.name, resource)
			}
			if node.Text(policy, "restartPolicy") == "RestartContainer" && (never || !c.runs) {
				p.wrong(finding.InvalidContainer, c.name+" resize "+resource, at+".restartPolicy",
					"container %q is to be restarted to change its %s, and is not restarted in this pod; write NotRequired", c.name, resource)
			}
		}
	}
}
