package stamp

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
)

// A path is the keys from the pod template on, as in a JSON pointer but for lists, whose
// entries are known by their keys.

var escaper, unescaper = strings.NewReplacer("~", "~0", "/", "~1"), strings.NewReplacer("~1", "/", "~0", "~")

// unescape reads a step of a path. Most have nothing to unescape, and a Replacer copies those, too.
func unescape(step string) string {
	if !strings.Contains(step, "~") {
		return step
	}
	return unescaper.Replace(step)
}

func join(path, key string) string {
	if strings.ContainsAny(key, "~/") {
		key = escaper.Replace(key)
	}
	if path == "" {
		return key
	}
	return path + "/" + key
}

// Steps are the keys that a path leads through, as they are in the pod template.
func Steps(path string) []string { return split(path) }

func split(path string) []string {
	if path == "" {
		return nil
	}
	steps := strings.Split(path, "/")
	for i := range steps {
		steps[i] = unescape(steps[i])
	}
	return steps
}

// parent is the path of the mapping or list that a path leads into, and the key there.
func parent(path string) (string, string) {
	at := strings.LastIndexByte(path, '/')
	return path[:max(at, 0)], unescape(path[at+1:])
}

// last is the last step of a path as it stands there: the name of a list.
func last(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// KeyOf is what an entry of a list is known by: its key, or its content where it has none.
func KeyOf(list string, entry *yaml.Node) string {
	if key := podtemplate.EntryKey(list, entry); key != "" {
		return key
	}
	return "#" + hashOf(entry)
}

// isContainers tells whether a list is one of containers.
func isContainers(path string) bool {
	return path == "spec/containers" || path == "spec/initContainers"
}

// insideContainer tells whether a path leads into a container.
func insideContainer(path string) bool {
	return strings.HasPrefix(path, "spec/containers/") || strings.HasPrefix(path, "spec/initContainers/")
}

// containerOf is the list and the name of the container that a path leads into, where it does.
func containerOf(path string) (list, name string) {
	if !insideContainer(path) {
		return "", ""
	}
	steps := split(path)
	return join(steps[0], steps[1]), steps[2]
}

// ContainerOf is the container that a path leads into, or no thing.
func ContainerOf(path string) Thing {
	list, name := containerOf(path)
	return Thing{list, name}
}

// byEntry tells whether the entries of a list are put in one by one. Inside of a container that
// holds for the lists that Kubernetes merges; others, such as a command, are one value.
func byEntry(path string) bool {
	if !insideContainer(path) {
		return true
	}
	return podtemplate.IsKeyed(last(path))
}

// isList tells whether a path leads to a list whose entries Kubernetes knows by a key.
func isList(path string) bool {
	steps := split(path)
	switch {
	case insideContainer(path):
		return len(steps) == 4 && byEntry(path) //nolint:mnd // spec, the list, the container, and a list in there
	default:
		return len(steps) == 2 && steps[0] == "spec" && podtemplate.IsKeyed(steps[1])
	}
}
