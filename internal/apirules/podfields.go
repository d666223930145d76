package apirules

import "pillion.dev/pillion/internal/yaml/node"

// The API server's limits for a pod's dnsConfig.
const (
	maxNameservers   = 3
	maxSearches      = 32
	maxSearchesBytes = 2048
)

// dns reports a dnsPolicy of None without name servers, and too many name servers or search paths.
func (p *checkedPod) dns() {
	servers, searches := node.List(p.Spec(), "dnsConfig", "nameservers"), node.List(p.Spec(), "dnsConfig", "searches")
	if node.Text(p.Spec(), "dnsPolicy") == "None" && len(servers) == 0 {
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
		if isSet(p.Spec(), field) && !node.IsFalse(p.Spec(), field) && node.IsTrue(p.Spec(), other) {
			p.reportPod(field+" "+other, field, "has %s and %s, which exclude each other; take one out", field, other)
		}
	}
}

// scheduling reports scheduling gates of a pod that is on a node, and gates and spread constraints that are listed twice.
func (p *checkedPod) scheduling() {
	gates := node.List(p.Spec(), "schedulingGates")
	if len(gates) > 0 && node.Text(p.Spec(), "nodeName") != "" {
		p.reportPod("nodeName", "nodeName", "has a nodeName, and schedulingGates keep it from being scheduled; take one out")
	}
	for i, name := range repeats(gates, "name") {
		p.reportPod("gate "+name, entry("schedulingGates", i), "has the scheduling gate %q twice; remove one", name)
	}
	var keys nameSet
	for i, constraint := range node.List(p.Spec(), "topologySpreadConstraints") {
		key := node.Text(constraint, "topologyKey") + " " + node.Text(constraint, "whenUnsatisfiable")
		if keys.add(key) {
			p.reportPod("spread "+key, entry("topologySpreadConstraints", i),
				"has two topologySpreadConstraints with the key and the action %s; remove one", key)
		}
	}
}
