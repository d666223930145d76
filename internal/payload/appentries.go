package payload

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// appEntryKey returns the key by which Origins finds an entry that injectors add to containers of the app: its content,
// because a pod may have thousands of mounts and variables. Of an entry that differs from pod to pod, only its name and
// mount path are known.
func appEntryKey(entry *yaml.Node, varies bool) string {
	if varies {
		return nameKey(entry)
	}
	return contentKey(entry)
}

// adds reports whether injectors add such an entry to a container of the app, in a turn or later. As with names, it makes
// no difference whether it is there already.
func (o *Origins) adds(container string, entry *yaml.Node, turn int) bool {
	if len(o.otherRuns) > 0 {
		if at, isAdded := o.otherRuns[otherRunsKey(container, entry)]; isAdded && at >= turn {
			return true
		}
	}
	if len(o.appEntries) == 0 {
		return false
	}
	for _, key := range []string{contentKey(entry), nameKey(entry)} {
		if at, isAdded := o.appEntries[key]; isAdded && at >= turn {
			return true
		}
	}
	return false
}

// contentKey is the same for entries with the same content.
func contentKey(entry *yaml.Node) string { return string(node.AppendCanonical([]byte("text "), entry)) }

// nameKey is the same for entries of the same name and mount path.
func nameKey(entry *yaml.Node) string {
	return "key " + node.Text(entry, "name") + "\x00" + node.Text(entry, "mountPath")
}
