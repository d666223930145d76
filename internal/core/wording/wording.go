// Package wording returns the names of what is in a pod template, as messages and reports have them.
package wording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
)

// EntryName returns the name of a thing in the pod template by its path and key in a stamp: env variable "PROXY" of
// container "web".
func EntryName(path, key string) string {
	return EntryNames(path, []string{key}, func(name string) string { return `"` + name + `"` })
}

// PlainName returns a name or a value as lists of changes show it: in quotes only if it has unusual characters, so that
// it cannot be mistaken for the words around it, and cut if it is longer than Kubernetes allows.
func PlainName(name string) string {
	const most = 320 // the longest key of an annotation
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "..."
	}
	isUnusual := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./:@+=~$*", r)
	}
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, isUnusual) {
		return strconv.Quote(name)
	}
	return name
}

// EntryNames returns the names of entries of one list or mapping: env variables HOST, PORT of container web. The
// function format quotes each name, or not.
func EntryNames(path string, keys []string, format func(string) string) string {
	steps := stamp.Steps(path)
	inside := steps[min(len(steps), 1):]
	container := ""
	if isInContainer(steps) {
		noun := pod.InSpec(steps[1]).Noun
		article := "a "
		if strings.HasPrefix(noun, "i") {
			article = "an "
		}
		inside = steps[3:]
		container = " of " + article + noun
		if name := steps[2]; name != "" {
			container = " of " + noun + " " + format(name)
		}
	}
	_, _, isPart := stamp.JoinedVariable(path)
	variable := pod.InContainer("env").Noun
	noun := pod.Of(steps...).Noun
	switch {
	case isPart && keys[0] == "":
		return "a value of " + variable + " " + format(inside[1]) + container
	case isPart:
		noun = "value"
		container = " of " + variable + " " + format(inside[1]) + container
	}
	switch where := strings.Join(inside, "."); {
	case IsNameless(keys[0]) && len(keys) == 1 && !isPart:
		return "an entry of " + where + container
	case IsNameless(keys[0]) && !isPart:
		return fmt.Sprintf("%d entries of %s%s", len(keys), where, container)
	case noun != "":
		names := make([]string, len(keys))
		for i, key := range keys {
			names[i] = format(key)
		}
		return spelling.Noun(noun, len(keys)) + " " + strings.Join(names, ", ") + container
	case where != "":
		return where + "." + strings.Join(keys, ", "+where+".") + container
	default:
		return strings.Join(keys, ", ") + container
	}
}

// isInContainer reports whether the steps of a path lead into a container.
func isInContainer(steps []string) bool {
	return len(steps) > 2 && slices.Contains(pod.ContainerLists[:], steps[1])
}

// AnyContainer returns a path without the name of the container that it leads into: what is added to the apps'
// containers is the same change, whatever these are called.
func AnyContainer(path string) string {
	steps := strings.SplitN(path, "/", 4)
	if !isInContainer(steps) {
		return path
	}
	steps[2] = ""
	return strings.Join(steps, "/")
}

// IsNameless reports whether an entry has no key except its content.
func IsNameless(key string) bool { return strings.HasPrefix(key, "#") }
