package engine

import (
	"strings"

	"pillion.dev/pillion/internal/stamp"
)

// nouns name an entry of a list or mapping of the pod template, for people.
var nouns = map[string]string{
	"containers": "container", "initContainers": "init container", "volumes": "volume", "imagePullSecrets": "imagePullSecret",
	"labels": "label", "annotations": "annotation", "env": "env variable", "envFrom": "envFrom", "volumeMounts": "mount",
	"volumeDevices": "device", "ports": "port", "hostAliases": "host alias",
	"topologySpreadConstraints": "topology spread constraint", "resourceClaims": "resource claim", "schedulingGates": "scheduling gate",
	"options": "DNS option", "sysctls": "sysctl",
}

// thing names something in the pod template by its place in a stamp, for people.
func thing(path, key string) string {
	steps := stamp.Steps(path)
	last := steps[len(steps)-1]
	noun := nouns[last]
	name := noun + ` "` + key + `"`
	switch {
	case noun != "" && strings.HasPrefix(key, "#"): // known by its content alone
		name = "an entry of " + last
	case noun == "":
		name = strings.Join(append(steps[1:], key), ".")
		if strings.HasPrefix(key, "#") {
			name = "an entry of " + strings.Join(steps[1:], ".")
		}
	}
	if len(steps) > 2 && (steps[1] == "containers" || steps[1] == "initContainers") {
		if noun == "" {
			name = strings.TrimPrefix(name, steps[1]+"."+steps[2]+".")
		}
		name += " of " + nouns[steps[1]] + ` "` + steps[2] + `"`
	}
	return name
}

// things is all that a stamp says was put in.
func things(s *stamp.Stamp) []string {
	var all []string
	for _, t := range s.Things() {
		all = append(all, thing(t.Path, t.Key))
	}
	return all
}

// fieldsOf names fields of something in the pod template.
func fieldsOf(fields []string, path, key string) string {
	if fields[0] == "" {
		return thing(path, key)
	}
	return strings.Join(fields, ", ") + " of " + thing(path, key)
}

// driftedThing names what a person changed.
func driftedThing(d stamp.Drift) string { return fieldsOf([]string{d.Field}, d.Path, d.Key) }
