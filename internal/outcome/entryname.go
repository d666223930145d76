package outcome

import (
	"strings"

	"pillion.dev/pillion/internal/stamp"
)

// nouns are what people call an entry of a list or mapping of the pod template.
var nouns = map[string]string{
	"containers": "container", "initContainers": "init container", "volumes": "volume", "imagePullSecrets": "imagePullSecret",
	"labels": "label", "annotations": "annotation", "env": "env variable", "envFrom": "envFrom", "volumeMounts": "mount",
	"volumeDevices": "device", "ports": "port", "hostAliases": "host alias",
	"topologySpreadConstraints": "topology spread constraint", "resourceClaims": "resource claim", "schedulingGates": "scheduling gate",
	"options": "DNS option", "sysctls": "sysctl", "pending": "pending initializer",
}

// EntryName names a thing in the pod template by its path and key in a stamp: env variable "PROXY" of container "web".
func EntryName(path, key string) string {
	steps := stamp.Steps(path)
	last := steps[len(steps)-1]
	noun := nouns[last]
	isNameless := strings.HasPrefix(key, "#") // an entry that only its content identifies
	name := noun + ` "` + key + `"`
	switch {
	case noun != "" && isNameless:
		name = "an entry of " + last
	case isNameless:
		name = "an entry of " + strings.Join(steps[1:], ".")
	case noun == "":
		name = strings.Join(append(steps[1:], key), ".")
	}
	if len(steps) > 2 && (steps[1] == "containers" || steps[1] == "initContainers") {
		if noun == "" {
			name = strings.TrimPrefix(name, steps[1]+"."+steps[2]+".")
		}
		name += " of " + nouns[steps[1]] + ` "` + steps[2] + `"`
	}
	return name
}
