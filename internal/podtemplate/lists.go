package podtemplate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// entryKeys are the fields that entries are told apart by, by the name of the list.
var entryKeys = map[string]func(entry *yaml.Node) string{
	"containers": text("name"), "initContainers": text("name"), "ephemeralContainers": text("name"),
	"volumes": text("name"), "imagePullSecrets": text("name"), "resourceClaims": text("name"), "schedulingGates": text("name"),
	"options": text("name"), "sysctls": text("name"), "hostAliases": text("ip"), "topologySpreadConstraints": spread,
	"env": text("name"), "envFrom": source, "ports": port, "volumeMounts": mountPath, "volumeDevices": text("devicePath"),
}

// oneChoice are fields that hold one choice, and lists whose entries do: their parts mean something
// together alone, such as a probe's httpGet or exec, so that two of them do not add up.
var oneChoice = map[string]bool{
	"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "lifecycle": true, "seccompProfile": true, "appArmorProfile": true,
	"requiredDuringSchedulingIgnoredDuringExecution": true, // of nodes: its terms are alternatives, so one more asks for less
	"topologySpreadConstraints":                      true, "resourceClaims": true, "options": true, "sysctls": true, "envFrom": true,
}

// IsKeyed tells whether the entries of a list are told apart by a key. Those of others are by their content.
func IsKeyed(list string) bool { return entryKeys[list] != nil }

// IsOneChoice tells whether a field, or an entry of a list, is one choice.
func IsOneChoice(name string) bool { return oneChoice[name] }

// EntryKey is what an entry of a list is told apart by; empty where the list has no key, or the entry none.
func EntryKey(list string, entry *yaml.Node) string {
	if key := entryKeys[list]; key != nil {
		return key(entry)
	}
	return ""
}

func text(field string) func(*yaml.Node) string {
	return func(entry *yaml.Node) string { return node.Text(entry, field) }
}

// port has the protocol in it: Kubernetes' own key is the number alone, which takes 53/UDP for 53/TCP.
func port(entry *yaml.Node) string {
	return node.Number(entry, "containerPort") + "/" + Protocol(entry)
}

// Protocol returns the protocol of a container's port; the default is TCP.
func Protocol(port *yaml.Node) string {
	if protocol := node.Text(port, "protocol"); protocol != "" {
		return protocol
	}
	return "TCP"
}

// mountPath takes /x and /x/ for one place.
func mountPath(entry *yaml.Node) string {
	path := node.Text(entry, "mountPath")
	if short := strings.TrimRight(path, "/"); short != "" {
		return short
	}
	return path
}

func spread(entry *yaml.Node) string {
	return join(node.Text(entry, "topologyKey"), node.Text(entry, "whenUnsatisfiable"))
}

// source tells where variables come from, and the prefix of their names.
func source(entry *yaml.Node) string {
	for _, kind := range []string{"configMapRef", "secretRef"} {
		if name := node.Text(entry, kind, "name"); name != "" {
			return join(kind, name, node.Text(entry, "prefix"))
		}
	}
	return ""
}

// join leaves out what is empty at the end.
func join(first string, others ...string) string {
	if first == "" {
		return ""
	}
	return strings.TrimRight(first+" "+strings.Join(others, " "), " ")
}
