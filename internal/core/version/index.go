package version

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Index finds the entries of the lists of a version, so that not each injector searches all of a list. Entries are only
// added at the end until all lists are put in order.
type Index struct {
	lists map[string]map[string]int // the index of the first entry of each key, by the paths of lists
}

// fewEntries are searched as fast without an index.
const fewEntries = 8

// Find returns the index of the first entry of a key in a list, or -1.
func (x *Index) Find(at stamp.Address, entries []*node.Node) int {
	if len(entries) <= fewEntries {
		return indexOfKey(at.Path, entries, at.Key)
	}
	known := x.lists[at.Path]
	if known == nil {
		known = make(map[string]int, len(entries))
		for i, entry := range entries {
			if key := stamp.KeyOf(at.Path, entry); !hasKey(known, key) {
				known[key] = i
			}
		}
		if x.lists == nil {
			x.lists = map[string]map[string]int{}
		}
		x.lists[at.Path] = known
	}
	if i, isKnown := known[at.Key]; isKnown && i < len(entries) {
		return i
	}
	return -1
}

func hasKey(index map[string]int, key string) bool {
	_, isThere := index[key]
	return isThere
}

// note notes that a list gets an entry.
func (x *Index) note(at stamp.Address, index int) {
	if known := x.lists[at.Path]; known != nil && !hasKey(known, at.Key) {
		known[at.Key] = index
	}
}

// forget forgets the lists inside of something that is replaced.
func (x *Index) forget(replaced stamp.Address) {
	maps.DeleteFunc(x.lists, func(path string, _ map[string]int) bool { return isInside(replaced, path) })
}

// isInside reports whether a path is that of something, or leads on from it.
func isInside(thing stamp.Address, path string) bool {
	rest, isIn := strings.CutPrefix(path, thing.Inside())
	return isIn && (rest == "" || rest[0] == '/')
}

// indexOfKey returns the index of the first entry of a key in the list at a path, or -1.
func indexOfKey(path string, entries []*node.Node, key string) int {
	row := pod.At(path)
	return slices.IndexFunc(entries, func(entry *node.Node) bool {
		if is := row.Key(node.Resolve(entry)); is != "" {
			return is == key
		}
		return stamp.KeyOf(path, entry) == key
	})
}

// indexOfName returns the index of the entry of a name, or -1.
func indexOfName(entries []*node.Node, name string) int {
	return slices.IndexFunc(entries, func(entry *node.Node) bool { return node.Text(entry, "name") == name })
}
