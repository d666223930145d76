package injector

import "strings"

// MetadataKey takes a fieldPath of the form metadata.labels['x'] or metadata.annotations['x']
// apart: which mapping, and which key of it.
func MetadataKey(fieldPath string) (mapping, key string, ok bool) {
	for _, mapping := range []string{"labels", "annotations"} {
		rest, found := strings.CutPrefix(fieldPath, "metadata."+mapping+"['")
		key, closed := strings.CutSuffix(rest, "']")
		if found && closed && key != "" && !strings.Contains(key, "'") {
			return mapping, key, true
		}
	}
	return "", "", false
}
