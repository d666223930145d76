package check

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// What the API server takes of a pod's dnsConfig.
const (
	maxNameservers   = 3
	maxSearches      = 32
	maxSearchesBytes = 2048
)

// dns checks that a pod without the cluster's name servers has its own, and that there are not too many.
func (p *pod) dns() {
	servers, searches := node.List(p.Spec(), "dnsConfig", "nameservers"), node.List(p.Spec(), "dnsConfig", "searches")
	if node.Text(p.Spec(), "dnsPolicy") == "None" && len(servers) == 0 {
		p.wrong(finding.InvalidPod, "dnsPolicy", p.At("spec.dnsPolicy"),
			"the pod has the dnsPolicy None and no name servers; add dnsConfig.nameservers to spec.podSpec")
	}
	if len(servers) > maxNameservers {
		p.wrong(finding.InvalidPod, "nameservers", p.At("spec.dnsConfig.nameservers"),
			"the pod would have %d name servers, and the most is %d; take some out", len(servers), maxNameservers)
	}
	bytes := max(0, len(searches)-1)
	for _, search := range searches {
		bytes += len(node.Resolve(search).Value)
	}
	if len(searches) > maxSearches || bytes > maxSearchesBytes {
		p.wrong(finding.InvalidPod, "searches", p.At("spec.dnsConfig.searches"),
			"the pod would have %d DNS search paths of %d bytes, and the most is %d of %d bytes; take some out",
			len(searches), bytes, maxSearches, maxSearchesBytes)
	}
}

// hostname checks that a pod has one way to get its host name.
func (p *pod) hostname() {
	for _, field := range []string{"setHostnameAsFQDN", "hostNetwork"} {
		if set(p.Spec(), "hostnameOverride") && node.IsTrue(p.Spec(), field) {
			p.wrong(finding.InvalidPod, "hostnameOverride "+field, p.At("spec.hostnameOverride"),
				"the pod has hostnameOverride and %s, which exclude each other; take one out", field)
		}
	}
}

// scheduling checks that a pod that waits to be scheduled is not on a node, and that gates and
// spread constraints come once.
func (p *pod) scheduling() {
	gates := node.List(p.Spec(), "schedulingGates")
	if len(gates) > 0 && node.Text(p.Spec(), "nodeName") != "" {
		p.wrong(finding.InvalidPod, "nodeName", p.At("spec.nodeName"),
			"the pod has a nodeName, and schedulingGates keep it from being scheduled; take one out")
	}
	var seen, spread names
	for i, gate := range gates {
		if _, again := seen.add(node.Text(gate, "name")); again {
			p.wrong(finding.InvalidPod, "gate "+node.Text(gate, "name"), p.At("spec.schedulingGates["+strconv.Itoa(i)+"]"),
				"the scheduling gate %q stands twice; remove one", node.Text(gate, "name"))
		}
	}
	for i, constraint := range node.List(p.Spec(), "topologySpreadConstraints") {
		key := node.Text(constraint, "topologyKey") + " " + node.Text(constraint, "whenUnsatisfiable")
		if _, again := spread.add(key); again {
			p.wrong(finding.InvalidPod, "spread "+key, p.At("spec.topologySpreadConstraints["+strconv.Itoa(i)+"]"),
				"two topologySpreadConstraints have the key and the action %s; remove one", key)
		}
	}
}
