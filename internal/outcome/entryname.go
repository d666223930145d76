package outcome

import (
	"fmt"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/stamp"
)

// nouns name an entry of a list or mapping of the pod template.
var nouns = map[string]string{
	"containers": "container", "initContainers": "init container", "volumes": "volume", "imagePullSecrets": "imagePullSecret",
	"labels": "label", "annotations": "annotation", "env": "env variable", "envFrom": "envFrom source", "volumeMounts": "mount",
	"volumeDevices": "device", "ports": "port", "hostAliases": "host alias",
	"topologySpreadConstraints": "topology spread constraint", "resourceClaims": "resource claim", "schedulingGates": "scheduling gate",
	"options": "DNS option", "sysctls": "sysctl", "pending": "pending initializer",
}

// EntryName returns the name of a thing in the pod template by its path and key in a stamp: env variable "PROXY" of container "web".
func EntryName(path, key string) string { return entryNames(path, []string{key}) }

// entryNames returns the names of entries of one list or mapping: env variables "HOST", "PORT" of container "web".
func entryNames(path string, keys []string) string {
	steps := stamp.Steps(path)
	inside, container := steps[1:], ""
	if len(steps) > 2 && (steps[1] == "containers" || steps[1] == "initContainers") {
		inside, container = steps[3:], " of "+nouns[steps[1]]+` "`+steps[2]+`"`
	}
	noun := ""
	if len(inside) > 0 {
		noun = nouns[inside[len(inside)-1]]
	}
	switch where := strings.Join(inside, "."); {
	case isNameless(keys[0]) && len(keys) == 1:
		return "an entry of " + where + container
	case isNameless(keys[0]):
		return fmt.Sprintf("%d entries of %s%s", len(keys), where, container)
	case noun != "":
		return plural(noun, len(keys)) + ` "` + strings.Join(keys, `", "`) + `"` + container
	case where != "":
		return where + "." + strings.Join(keys, ", "+where+".") + container
	default:
		return strings.Join(keys, ", ") + container
	}
}

// isNameless reports whether an entry has no key except its content.
func isNameless(key string) bool { return strings.HasPrefix(key, "#") }

// Plural returns a number with a noun: "1 workload", "2 workloads".
func Plural(n int, noun string) string { return strconv.Itoa(n) + " " + plural(noun, n) }

func plural(noun string, count int) string {
	switch {
	case count == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	default:
		return noun + "s"
	}
}
