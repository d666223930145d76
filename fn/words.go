package fn

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/stamp"
)

// nouns name an entry of a list or mapping of the pod template, for people.
var nouns = map[string]string{
	"containers": "container", "initContainers": "init container", "volumes": "volume", "imagePullSecrets": "imagePullSecret",
	"labels": "label", "annotations": "annotation", "env": "env variable", "envFrom": "envFrom", "volumeMounts": "mount",
	"volumeDevices": "device", "ports": "port", "hostAliases": "host alias",
}

// thing names something in the pod template by its place in a stamp, for people.
func thing(path, key string) string {
	steps := strings.Split(path, "/")
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
	for _, path := range sortedKeys(s.Added) {
		for _, key := range sortedKeys(s.Added[path]) {
			all = append(all, thing(path, key))
		}
	}
	return all
}

// changesBetween is what became of what an injector put in, in a few words each.
func changesBetween(old, now *stamp.Stamp) []string {
	var words []string
	for _, path := range sortedKeys(now.Added) {
		for _, key := range sortedKeys(now.Added[path]) {
			is := now.Added[path][key]
			was, known := old.Added[path][key]
			switch {
			case !known:
				words = append(words, "adds "+thing(path, key))
			case !was.Same(is):
				words = append(words, "updates "+fieldsBetween(was, is)+thing(path, key))
			case was.Place != is.Place:
				words = append(words, "moves "+thing(path, key))
			}
		}
	}
	for _, path := range sortedKeys(old.Added) {
		for _, key := range sortedKeys(old.Added[path]) {
			if !now.Adds(path, key) {
				words = append(words, "removes "+thing(path, key))
			}
		}
	}
	return words
}

// fieldsBetween are the fields in which two versions of a container differ.
func fieldsBetween(old, now stamp.Print) string {
	differing := map[string]bool{}
	for field, hash := range now.Fields {
		differing[field] = old.Fields[field] != hash
	}
	for field, hash := range old.Fields {
		differing[field] = now.Fields[field] != hash
	}
	maps.DeleteFunc(differing, func(_ string, differs bool) bool { return !differs })
	if len(differing) == 0 {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(differing)), ", ") + " of "
}

// driftedThing names what a person changed.
func driftedThing(d stamp.Drift) string {
	if d.Field == "" {
		return thing(d.Path, d.Key)
	}
	return d.Field + " of " + thing(d.Path, d.Key)
}
