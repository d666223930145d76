package stamp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
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
		isOut[entry.anywhere()] = true
	}
	made := make([]*yaml.Node, 0, len(list.Content)+len(entries))
	place := before            // what the others have put in right behind the last of the app's
	next, apps, out := 0, 0, 0 // the next of the list, how many of the app's there are in made, and are still out
	for _, entry := range entries {
		if isOut[entry.anywhere()] {
			continue
		}
		for out < len(stillOut) && stillOut[out].At < entry.At {
			out++
		}
		for ; next < len(list.Content) && apps < entry.At-out; next++ {
			made = append(made, list.Content[next])
			if !u.isOthers(path, list.Content[next]) {
				apps++
				place = behind + KeyOf(last(path), node.Resolve(list.Content[next]))
			}
		}
		for ; next < len(list.Content) && u.othersAt(path, list.Content[next], place); next++ {
			made = append(made, list.Content[next])
		}
		n := u.restored(path, entry.Text)
		u.Below[n] = entry.Below
		u.note(entry.owner, path, KeyOf(last(path), n), n)
		made = append(made, n)
		place = behind + KeyOf(last(path), n)
		apps++
	}
	list.Content = append(made, list.Content[next:]...)
}

// anywhere is an entry whatever stood above it: somebody may have written a comment since another injector took it out.
func (e Entry) anywhere() Entry { return Entry{At: e.At, Text: e.Text} }

// isOthers tells whether one of the others has put in an entry where there was none.
func (u *undoer) isOthers(path string, entry *yaml.Node) bool {
	return len(u.new) > 0 && u.new.adds(path, KeyOf(last(path), node.Resolve(entry)))
}

// othersAt tells whether one of the others has put in an entry at a place where there was none.
func (u *undoer) othersAt(path string, entry *yaml.Node, place string) bool {
	key := KeyOf(last(path), node.Resolve(entry))
	return len(u.new) > 0 && u.new.adds(path, key) &&
		slices.ContainsFunc(u.others, func(o Owner) bool { return o.Added[path][key].Place == place })
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
		all[path] = slices.CompactFunc(entries, func(a, b cutEntry) bool { return a.anywhere() == b.anywhere() })
	}
	return all
}
