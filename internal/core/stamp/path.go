package stamp

import (
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonpointer"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A path is the keys from the pod template down, as in a JSON pointer, except that entries of lists have their keys
// there instead of their indexes: spec/containers/app/env.

const (
	labelsPath, annotationsPath = "metadata/labels", "metadata/annotations"
	containersPath              = "spec/" + pod.Main
	initContainersPath          = "spec/" + pod.Init
)

func join(path, key string) string {
	key = jsonpointer.Escape(key)
	if path == "" {
		return key
	}
	return path + "/" + key
}

// InSpec returns the entry of a name in one of the pod spec's lists.
func InSpec(list, name string) Address { return Address{pod.InSpec(list).Path, name} }

// Child returns what has a key in a mapping or list.
func (t Address) Child(key string) Address { return Address{t.Inside(), key} }

// Inside returns the path of what is inside a thing.
func (t Address) Inside() string { return join(t.Path, t.Key) }

// AddressOf returns what a path leads to: a key in the mapping or list above it.
func AddressOf(path string) Address {
	at := strings.LastIndexByte(path, '/')
	return Address{path[:max(at, 0)], jsonpointer.Unescape(path[at+1:])}
}

// Steps returns the keys of a path, unescaped.
func Steps(path string) []string {
	if path == "" {
		return nil
	}
	steps := strings.Split(path, "/")
	for i := range steps {
		steps[i] = jsonpointer.Unescape(steps[i])
	}
	return steps
}

// last returns the last step of a path as it is written: the name of a list.
func last(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// isWithin reports whether a path is that of an outer one, or leads on from it.
func isWithin(outer, path string) bool {
	rest, isBelow := strings.CutPrefix(path, outer)
	return isBelow && (rest == "" || rest[0] == '/')
}

// hashMark begins the keys of entries that have none of their own.
const hashMark = "#"

// KeyOf returns the key of an entry of the list at a path, or a hash of its content if it has none.
func KeyOf(path string, entry *node.Node) string {
	entry = node.Resolve(entry)
	if key := pod.At(path).Key(entry); key != "" {
		return key
	}
	return hashMark + hashOf(entry)
}

// IsContainers reports whether a path leads to one of the lists of containers.
func IsContainers(path string) bool {
	return path == containersPath || path == initContainersPath
}

func insideContainer(path string) bool {
	return strings.HasPrefix(path, containersPath+"/") || strings.HasPrefix(path, initContainersPath+"/")
}

// ContainerOf returns the container that a path leads into, or an empty Address.
func ContainerOf(path string) Address {
	if !insideContainer(path) {
		return Address{}
	}
	steps := Steps(path)
	return Address{join(steps[0], steps[1]), steps[2]}
}

// IsSeparable reports whether the entries of a list are recorded one by one. Inside containers these are the lists that
// Kubernetes merges; other lists there, such as a command, are one value.
func IsSeparable(list Address) bool {
	isInside := insideContainer(list.Path) || IsContainers(list.Path)
	return !isInside || pod.At(list.Path).Child(list.Key).IsKeyed()
}
