package stamp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// cutEntry is an entry that an owner took out of a list.
type cutEntry struct {
	Entry
	owner string
}

// cuts puts back the entries that were taken out of lists, each once. What one of the others took
// out as well stays out.
func (u *undoer) cuts() {
	cut, stillOut := cutBy(u.owners), cutBy(u.others)
	for _, path := range slices.Sorted(maps.Keys(cut)) {
		list := u.at(path)
		if isMovable(path) { // whoever deleted the list by hand did not mean the app's
			list = u.made(path)
		}
		if list != nil && list.Kind == yaml.SequenceNode {
			u.restoreCut(path, list, cut[path], stillOut[path])
			delete(u.index, list)
		}
	}
}

// restoreCut puts entries back into a list in one pass. An index counts what the app had: the others have put
// entries in, which do not count, and have entries still out.
func (u *undoer) restoreCut(path string, list *yaml.Node, entries, stillOut []cutEntry) {
	isOut := make(map[Entry]bool, len(stillOut))
	for _, entry := range stillOut {
		isOut[entry.Entry] = true
	}
	made := make([]*yaml.Node, 0, len(list.Content)+len(entries))
	next, apps, out := 0, 0, 0 // the next of the list, how many of the app's there are in made, and are still out
	for _, entry := range entries {
		if isOut[entry.Entry] {
			continue
		}
		for out < len(stillOut) && stillOut[out].At < entry.At {
			out++
		}
		for ; next < len(list.Content) && apps < entry.At-out; next++ {
			made = append(made, list.Content[next])
			if !u.isOthers(path, list.Content[next]) {
				apps++
			}
		}
		n := u.restored(path, entry.Text)
		u.note(entry.owner, path, KeyOf(last(path), n), n)
		made = append(made, n)
		apps++
	}
	list.Content = append(made, list.Content[next:]...)
}

// isOthers tells whether one of the others has put in an entry where there was none.
func (u *undoer) isOthers(path string, entry *yaml.Node) bool {
	return len(u.new) > 0 && u.new.adds(path, KeyOf(last(path), node.Resolve(entry)))
}

// cutBy is what owners have taken out of lists, each entry once, in the order that they had.
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
		all[path] = slices.CompactFunc(entries, func(a, b cutEntry) bool { return a.Entry == b.Entry })
	}
	return all
}
