package stamp

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// cutEntry is an entry that an owner removed from a list.
type cutEntry struct {
	Entry
	owner string
}

// restoreCuts puts back the entries that the owners removed from lists, each once, unless one of the others removed it as well.
func (u *undoer) restoreCuts() {
	cut, stillOut := cutBy(u.owners), cutBy(u.others)
	for _, path := range sortedKeys(cut) {
		list := u.made(path) // a person who deleted the list did not mean the app's entries
		if list != nil && list.Kind == yaml.SequenceNode {
			u.restoreCut(path, list, cut[path], stillOut[path])
			delete(u.index, list)
		}
	}
}

// restoreCut puts entries back into a list in one pass. The index of an entry counts the app's entries: those that are still out
// as well, and not those that the others put in. It goes directly behind the app's entry before it, or behind what the others put in
// front of them all.
func (u *undoer) restoreCut(path string, list *yaml.Node, entries, stillOut []cutEntry) {
	isOut := make(map[Entry]bool, len(stillOut))
	for _, entry := range stillOut {
		isOut[entry.withoutLayout()] = true
	}
	made := make([]*yaml.Node, 0, len(list.Content)+len(entries))
	rest := list.Content
	apps, out := 0, 0 // how many entries of the app are in made, and how many before the next one are still out
	for _, entry := range entries {
		if isOut[entry.withoutLayout()] {
			continue
		}
		for out < len(stillOut) && stillOut[out].At < entry.At {
			out++
		}
		for len(rest) > 0 && (apps < entry.At-out || apps == 0 && u.isOthers(path, rest[0])) {
			if !u.isOthers(path, rest[0]) {
				apps++
			}
			made, rest = append(made, rest[0]), rest[1:]
		}
		n := u.restored(entry.Text)
		u.Below[n] = entry.Below
		u.report(entry.owner, Thing{path, KeyOf(path, n)}, n)
		made = append(made, n)
		apps++
	}
	list.Content = slices.Concat(made, rest)
}

// withoutLayout returns an entry without what stood above it: somebody may have written a comment there since another injector
// removed the entry.
func (e Entry) withoutLayout() Entry { return Entry{At: e.At, Text: e.Text} }

// isOthers reports whether one of the others put in an entry without replacing one.
func (u *undoer) isOthers(path string, entry *yaml.Node) bool {
	return len(u.newByOthers) > 0 && u.newByOthers[Thing{path, KeyOf(path, entry)}]
}

// cutBy returns what owners removed from lists, each entry once, in the order of the lists.
func cutBy(owners []Owner) map[string][]cutEntry {
	all := map[string][]cutEntry{}
	for _, o := range owners {
		for path, entries := range o.Cut {
			for _, entry := range entries {
				all[path] = append(all[path], cutEntry{entry, o.Key})
			}
		}
	}
	for path, entries := range all {
		slices.SortStableFunc(entries, func(a, b cutEntry) int { return cmp.Or(a.At-b.At, strings.Compare(a.Text, b.Text)) })
		all[path] = slices.CompactFunc(entries, func(a, b cutEntry) bool { return a.withoutLayout() == b.withoutLayout() })
	}
	return all
}
