package pod

import (
	"cmp"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// PortKey returns the number and the protocol of a container's port: 53/UDP. Kubernetes' own key is only the number,
// which does not tell 53/UDP from 53/TCP.
func PortKey(port *node.Node) string {
	return node.Amount(port, "containerPort") + "/" + Protocol(port)
}

// Protocol returns the protocol of a container's port. The default is TCP.
func Protocol(port *node.Node) string { return cmp.Or(node.Text(port, "protocol"), "TCP") }

// PortsClash returns in what two ports of a pod exclude each other, "name", "number" or "host port", or "" if they do
// not.
func PortsClash(a, b *node.Node) string {
	if name := node.Text(a, "name"); name != "" && name == node.Text(b, "name") {
		return "name"
	}
	hostPort := node.Amount(a, "hostPort")
	switch {
	case Protocol(a) != Protocol(b):
	case node.Amount(a, "containerPort") == node.Amount(b, "containerPort"):
		return "number"
	case hostPort != "" && hostPort != "0" && hostPort == node.Amount(b, "hostPort") &&
		sameHostIP(node.Text(a, "hostIP"), node.Text(b, "hostIP")):
		return "host port"
	}
	return ""
}

// sameHostIP reports whether two addresses overlap: an empty one, and the unspecified one, are all addresses.
func sameHostIP(a, b string) bool {
	all := func(ip string) bool { return ip == "" || ip == "0.0.0.0" || ip == "::" }
	return a == b || all(a) || all(b)
}
