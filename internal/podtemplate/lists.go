package podtemplate

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// entryKeys returns the keys of entries, by the name of the list.
var entryKeys = map[string]func(entry *yaml.Node) string{
	"containers": text("name"), "initContainers": text("name"), "ephemeralContainers": text("name"),
	"volumes": text("name"), "imagePullSecrets": text("name"), "resourceClaims": text("name"), "schedulingGates": text("name"),
	"evictionResponders": text("name"), "options": text("name"), "sysctls": text("name"), "hostAliases": text("ip"),
	"topologySpreadConstraints": spread, "env": text("name"), "envFrom": source, "ports": PortKey, "volumeMounts": mountPath,
	"volumeDevices": text("devicePath"),
}

// oneChoice has the fields that hold one choice, and the lists whose entries do. Their parts mean something only together, such
// as the httpGet or exec of a probe, so that two of them cannot be merged.
var oneChoice = map[string]bool{
	"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "lifecycle": true, "seccompProfile": true, "appArmorProfile": true,
	"requiredDuringSchedulingIgnoredDuringExecution": true, // of nodes: its terms are alternatives, so one more requires less
	"topologySpreadConstraints":                      true, "resourceClaims": true, "options": true, "sysctls": true, "envFrom": true,
	"evictionResponders": true,
}

// IsKeyed reports whether the entries of a list have keys. Those of other lists are told apart by their content.
func IsKeyed(list string) bool { return entryKeys[list] != nil }

// IsOneChoice reports whether a field, or each entry of a list, is one choice.
func IsOneChoice(name string) bool { return oneChoice[name] }

// EntryKey returns the key of an entry of a list. It is empty if the list has no keys, or the entry has none.
func EntryKey(list string, entry *yaml.Node) string {
	if key := entryKeys[list]; key != nil {
		return key(entry)
	}
	return ""
}

func text(field string) func(*yaml.Node) string {
	return func(entry *yaml.Node) string { return node.Text(entry, field) }
}

// FindEntry returns the index of the entry of a list that has the key of the wanted one, or -1. Entries without a key are
// compared as a whole, and ports that clash count as the same.
func FindEntry(list string, entries []*yaml.Node, wanted *yaml.Node) int {
	return slices.IndexFunc(entries, HasKeyOf(list, wanted))
}

// HasKeyOf returns a function that reports whether an entry of a list has the key of the wanted one, as for FindEntry.
func HasKeyOf(list string, wanted *yaml.Node) func(entry *yaml.Node) bool {
	key := EntryKey(list, wanted)
	return func(entry *yaml.Node) bool {
		if key == "" {
			return node.Equal(entry, wanted)
		}
		return EntryKey(list, entry) == key || list == "ports" && PortsClash(entry, wanted) != ""
	}
}

// mountPath returns the path of a mount without slashes at the end: /x and /x/ are the same.
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

// source returns where variables come from, and the prefix of their names.
func source(entry *yaml.Node) string {
	for _, kind := range []string{"configMapRef", "secretRef"} {
		if name := node.Text(entry, kind, "name"); name != "" {
			return join(kind, name, node.Text(entry, "prefix"))
		}
	}
	return ""
}

// join joins the parts of a key. It is empty if the first part is.
func join(first string, rest ...string) string {
	if first == "" {
		return ""
	}
	return strings.TrimRight(first+" "+strings.Join(rest, " "), " ")
}
