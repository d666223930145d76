package check

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// The API server's limits for a pod's dnsConfig.
const (
	maxNameservers   = 3
	maxSearches      = 32
	maxSearchesBytes = 2048
)

// dns reports a dnsPolicy of None without name servers, and too many name servers or search paths.
func (p *checkedPod) dns() {
	servers, searches := node.List(p.spec, "dnsConfig", "nameservers"), node.List(p.spec, "dnsConfig", "searches")
	if node.Text(p.spec, "dnsPolicy") == "None" && len(servers) == 0 {
		p.reportPod("dnsPolicy", "dnsPolicy", "has the dnsPolicy None and no name servers; add dnsConfig.nameservers to spec.podSpec")
	}
	if len(servers) > maxNameservers {
		p.reportPod("nameservers", "dnsConfig.nameservers",
			"would have %d name servers, and the most is %d; take some out", len(servers), maxNameservers)
	}
	bytes := max(0, len(searches)-1)
	for _, search := range searches {
		bytes += len(node.Resolve(search).Value)
	}
	if len(searches) > maxSearches || bytes > maxSearchesBytes {
		p.reportPod("searches", "dnsConfig.searches",
			"would have %d DNS search paths of %d bytes, and the most is %d of %d bytes; take some out",
			len(searches), bytes, maxSearches, maxSearchesBytes)
	}
}

// exclusiveFields are pairs of fields that a pod cannot have together.
var exclusiveFields = [][2]string{
	{"shareProcessNamespace", "hostPID"}, {"hostnameOverride", "setHostnameAsFQDN"}, {"hostnameOverride", "hostNetwork"},
}

// exclusive reports fields that exclude each other.
func (p *checkedPod) exclusive() {
	for _, pair := range exclusiveFields {
		field, other := pair[0], pair[1]
		if isSet(p.spec, field) && !node.IsFalse(p.spec, field) && node.IsTrue(p.spec, other) {
			p.reportPod(field+" "+other, field, "has %s and %s, which exclude each other; take one out", field, other)
		}
	}
}

// scheduling reports scheduling gates of a pod that is on a node, and gates and spread constraints that are listed
// twice.
func (p *checkedPod) scheduling() {
	gates := node.List(p.spec, "schedulingGates")
	if len(gates) > 0 && node.Text(p.spec, "nodeName") != "" {
		p.reportPod("nodeName", "nodeName", "has a nodeName, and schedulingGates keep it from being scheduled; take one out")
	}
	for i, name := range repeats(gates, "name") {
		p.reportPod("gate "+name, entry("schedulingGates", i), "has the scheduling gate %q twice; remove one", name)
	}
	keys := names{}
	for i, constraint := range node.List(p.spec, "topologySpreadConstraints") {
		key := node.Text(constraint, "topologyKey") + " " + node.Text(constraint, "whenUnsatisfiable")
		if keys.add(key) {
			p.reportPod("spread "+key, entry("topologySpreadConstraints", i),
				"has two topologySpreadConstraints with the key and the action %s; remove one", key)
		}
	}
}

// restarts reports fields that end a pod although its workload keeps pods running.
func (p *checkedPod) restarts() {
	if !runsForever(p.Kind) {
		return
	}
	add := func(field, format string, args ...any) {
		p.add(finding.InvalidPod, field, p.At("spec."+field), fmt.Sprintf("the pod of a "+p.Kind.Kind+" "+format, args...))
	}
	const remedy = "take it out of spec.podSpec, or keep the workload out by spec.rules"
	if policy := node.Text(p.spec, "restartPolicy"); policy != "" && policy != "Always" {
		add("restartPolicy", "must have the restartPolicy Always, and this is %s; "+remedy, policy)
	}
	if isSet(p.spec, "activeDeadlineSeconds") {
		add("activeDeadlineSeconds", "cannot have activeDeadlineSeconds; "+remedy)
	}
}

// runsForever reports whether a kind keeps its pods running, and refuses pods that end.
func runsForever(kind pod.Kind) bool {
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
	never := node.Text(p.spec, "restartPolicy") == "Never"
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
