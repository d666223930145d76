package podtemplate

import (
	"cmp"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// PortKey returns the number and the protocol of a container's port: 53/UDP. Kubernetes' own key is only the number, which does
// not tell 53/UDP from 53/TCP.
func PortKey(port *yaml.Node) string {
	return node.Number(port, "containerPort") + "/" + Protocol(port)
}

// Protocol returns the protocol of a container's port. The default is TCP.
func Protocol(port *yaml.Node) string { return cmp.Or(node.Text(port, "protocol"), "TCP") }

// PortsClash reports whether two ports of a pod exclude each other: they have the same name, number or port of the host.
func PortsClash(a, b *yaml.Node) bool {
	if name := node.Text(a, "name"); name != "" && name == node.Text(b, "name") {
		return true
	}
	if Protocol(a) != Protocol(b) {
		return false
	}
	hostPort := node.Number(a, "hostPort")
	return node.Number(a, "containerPort") == node.Number(b, "containerPort") ||
		hostPort != "" && hostPort != "0" && hostPort == node.Number(b, "hostPort") &&
			sameHostIP(node.Text(a, "hostIP"), node.Text(b, "hostIP"))
}

// sameHostIP reports whether two addresses overlap: an empty one, and the unspecified one, are all addresses.
func sameHostIP(a, b string) bool {
	all := func(ip string) bool { return ip == "" || ip == "0.0.0.0" || ip == "::" }
	return a == b || all(a) || all(b)
}
