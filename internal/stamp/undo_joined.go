package stamp

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// openJoined turns the values that owners joined parts to from texts into mappings that have the list of entries at the separator.
func (u *undoer) openJoined() {
	mine := joinedBy(u.owners)
	if len(mine) == 0 {
		return
	}
	all, wholes := joinedBy(u.owners, u.others), wholesOf(u.owners)
	for variable := range mine {
		at, v := variable.value(), all[variable]
		if wholes[ContainerOf(at.Path)] || wholes[variable] {
			continue // it is removed as a whole
		}
		if value := u.at(at.Inside()); node.IsString(value) {
			i := u.find(at)[0]
			u.joined[variable] = openedValue{v, u.at(at.Path).Content[i]}
			u.put(at, i, node.Mapping(node.String(v.separator), node.Sequence(v.split(value)...)))
		}
	}
}

// wholesOf returns what owners put in as a whole: everything but variables that they joined something to. Only a forged stamp names a
// variable, or something around it, that parts were joined to.
func wholesOf(owners []Owner) map[Thing]bool {
	all := map[Thing]bool{}
	for _, o := range owners {
		for thing := range each(o.Added) {
			if !o.IsJoined(thing) {
				all[thing] = true
			}
		}
	}
	return all
}

// isOpenValue reports whether something is a value that counts as a list. Only a forged stamp names it as a whole.
func (u *undoer) isOpenValue(at Thing) bool {
	if len(u.joined) == 0 || at.Key != valueKey {
		return false
	}
	_, isOpen := u.joined[ThingAt(at.Path)]
	return isOpen
}

// openedValue is a value that counts as a list while stamps are undone.
type openedValue struct {
	joinedValue
	present *yaml.Node // as it was
}

// removeVariable removes a variable that an owner added and joined something to, unless there is something else in its value.
func (u *undoer) removeVariable(o Owner, variable Thing) {
	indexes := u.find(variable)
	if len(indexes) == 0 {
		u.missing(o, variable)
		return
	}
	opened, isOpen := u.joined[variable]
	if isOpen && u.hasText(opened.list(variable)) || !isOpen && u.at(variable.value().Inside()) != nil {
		return // somebody else needs it
	}
	present := node.Resolve(u.at(variable.Path).Content[indexes[0]])
	if !o.Added[variable.Path][variable.Key].IsOf(variable, withoutValue(present)) {
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Thing: variable, Present: withoutValue(present), IsJoined: true})
	}
	delete(u.joined, variable)
	u.shrunk[variable.Path] = true
	u.remove(variable, indexes[0])
}

// hasText reports whether the entries that are left in a list are more than an empty text.
func (u *undoer) hasText(list string) bool {
	left := 0
	return slices.ContainsFunc(node.List(u.at(list)), func(entry *yaml.Node) bool {
		if entry != hole {
			left++
		}
		return left > 1 || entry != hole && entry.Value != ""
	})
}

// closeJoined turns the lists that are left into texts again: as they are or were written, if the content is the same.
func (u *undoer) closeJoined() {
	for variable, opened := range u.joined {
		at := variable.value()
		text := opened.text(node.List(u.at(opened.list(variable))))
		written, isWritten := u.writtenAs(at, text)
		i := u.find(at)[0]
		switch {
		case text == node.Resolve(opened.present).Value:
			u.put(at, i, opened.present)
		case isWritten:
			u.put(at, i, u.restored(written))
		case text == "":
			u.remove(at, i)
		default:
			u.put(at, i, node.StringLike(opened.present, text))
		}
		delete(u.owned, opened.list(variable))
	}
	u.close()
}

// writtenAs returns how a value was written that has a text again, according to the first stamp that knows it. The others may know an
// earlier value of the app.
func (u *undoer) writtenAs(at Thing, text string) (written string, ok bool) {
	for _, o := range u.owners {
		if written, ok = o.Was[at.Path][at.Key]; ok && isValue(written, text) {
			return written, true
		}
	}
	return "", false
}

// isValue reports whether a text in a stamp is the value of a variable.
func isValue(written, text string) bool {
	n, err := readYAML(written)
	return err == nil && (node.IsString(n) && n.Value == text || node.IsNull(n) && text == "")
}
