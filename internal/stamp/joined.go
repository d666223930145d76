package stamp

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/joined"
	"pillion.dev/pillion/internal/yaml/node"
)

// Several injectors may join values to one variable, and each owns its own part there. So such a value counts as a list of parts and
// of elements of the app. The path of the list is that of the value followed by the separator, and the key of an entry is its text:
// spec/containers/app/env/PYTHONPATH/value/: and /agent.
//
// A variable that the app does not have, and to which others may join values as well, is recorded without its value.

// Joined is a part that an injector joined to the value of a variable.
type Joined struct {
	Variable  Thing // in the list of variables of a container
	Separator string
	Part      joined.Part
}

// Variable returns a variable of a container in one of the lists of containers.
func Variable(list, container, name string) Thing {
	return Thing{join(join("spec/"+list, container), "env"), name}
}

const valueKey = "value"

// value returns the value of a variable.
func (t Thing) value() Thing { return Thing{t.Inside(), valueKey} }

// asJoined returns the variable and the separator of the list at a path, if that is a list of what was joined to the value of a
// variable.
func asJoined(path string) (variable Thing, separator string, ok bool) {
	const steps = 7 // spec, containers, a name, env, a name, value, the separator
	if !insideContainer(path) || strings.Count(path, "/") != steps-1 {
		return Thing{}, "", false
	}
	list := ThingAt(path)
	value := ThingAt(list.Path)
	variable = ThingAt(value.Path)
	return variable, list.Key, list.Key != "" && value.Key == valueKey && last(variable.Path) == "env"
}

// JoinedVariable returns the variable of the list at a path, if that is a list of what was joined to the value of a variable.
func JoinedVariable(path string) (variable Thing, ok bool) {
	variable, _, ok = asJoined(path)
	return variable, ok
}

// JoinedParts returns what the injector joined to values of variables.
func (s *Stamp) JoinedParts() []Joined {
	var all []Joined
	if len(s.separators()) == 0 {
		return nil
	}
	for _, path := range sortedKeys(s.Added) {
		if variable, separator, ok := asJoined(path); ok {
			parts := s.Added[path]
			for _, text := range sortedKeys(parts) {
				all = append(all, Joined{variable, separator, joined.Part{Text: text, Before: parts[text].Place == placeFirst}})
			}
		}
	}
	return all
}

// separators returns the separators of the variables that the injector joined something to. It finds them once.
func (s *Stamp) separators() map[Thing]string {
	if !s.knowsSeparators {
		s.knowsSeparators = true
		for path := range s.Added {
			if variable, separator, ok := asJoined(path); ok {
				if s.joinedWith == nil {
					s.joinedWith = map[Thing]string{}
				}
				s.joinedWith[variable] = separator
			}
		}
	}
	return s.joinedWith
}

// KeepLayouts takes over how the values were written that both stamps of an injector join something to, from an older stamp. So the stamp
// stays the same if a person edits the app's part of a value.
func (s *Stamp) KeepLayouts(old *Stamp) {
	if old == nil {
		return
	}
	for variable := range s.separators() {
		at := variable.value()
		if text, was := old.Was[at.Path][at.Key]; was && old.IsJoined(variable) {
			if _, is := s.Was[at.Path][at.Key]; is {
				s.Was = with(s.Was, at, text)
			}
		}
	}
}

// IsJoined reports whether the injector joined something to a variable.
func (s *Stamp) IsJoined(variable Thing) bool { return s.separators()[variable] != "" }

// joinedValue is a value that injectors joined parts to.
type joinedValue struct {
	separator string
	parts     []joined.Part
}

// joinedValues are the values that injectors joined parts to, by variable.
type joinedValues map[Thing]joinedValue

// add adds a part. All parts of a value have the same separator.
func (all *joinedValues) add(j Joined) {
	if *all == nil {
		*all = joinedValues{}
	}
	v, known := (*all)[j.Variable]
	if !known {
		v.separator = j.Separator
	}
	if v.separator == j.Separator {
		v.parts = append(v.parts, j.Part)
		(*all)[j.Variable] = v
	}
}

// joinedBy returns the values that owners joined parts to.
func joinedBy(owners ...[]Owner) joinedValues {
	var all joinedValues
	for _, each := range owners {
		for _, o := range each {
			for _, part := range o.JoinedParts() {
				all.add(part)
			}
		}
	}
	return all
}

// at returns what was joined to the value that a path leads to, and its variable.
func (all joinedValues) at(path string) (variable Thing, v joinedValue, ok bool) {
	if len(all) == 0 || last(path) != valueKey {
		return Thing{}, joinedValue{}, false
	}
	variable = ThingAt(ThingAt(path).Path)
	v, ok = all[variable]
	return variable, v, ok
}

// list returns the path of the entries of the value of a variable.
func (v joinedValue) list(variable Thing) string { return join(variable.value().Inside(), v.separator) }

// split returns the entries of a value. It is empty for a value that is not a string.
func (v joinedValue) split(value *yaml.Node) []*yaml.Node {
	var entries []*yaml.Node
	if node.IsString(value) {
		for _, text := range joined.Split(node.Resolve(value).Value, v.separator, v.parts) {
			entries = append(entries, node.String(text))
		}
	}
	return entries
}

// text returns the value that entries are.
func (v joinedValue) text(entries []*yaml.Node) string {
	texts := make([]string, len(entries))
	for i, entry := range entries {
		texts[i] = entry.Value
	}
	return strings.Join(texts, v.separator)
}

// withText returns a value with another text, in the same quotes.
func withText(value *yaml.Node, text string) *yaml.Node {
	value = node.Resolve(value)
	changed := node.Clone(value)
	changed.Value = text
	changed.Style &^= yaml.LiteralStyle | yaml.FoldedStyle
	return changed
}

// withoutValue returns a variable without its value.
func withoutValue(variable *yaml.Node) *yaml.Node {
	rest := node.Clone(node.Resolve(variable))
	node.Delete(rest, valueKey)
	return rest
}

// joinedTo records what became of the value of a variable that the injector joined parts to. The place of a part is on one side of
// what the app has, even if that is nothing.
func (r recorder) joinedTo(variable Thing, parts []Joined) {
	at := variable.value()
	if was := ownValue(r.inside.Pristine.At(variable.Path, variable.Key), valueKey); was != nil {
		r.was(at, was)
	}
	for _, j := range parts {
		place := ""
		if j.Part.Before {
			place = placeFirst
		}
		r.add(Thing{join(at.Inside(), j.Separator), j.Part.Text}, node.String(j.Part.Text), place)
	}
}

// part returns a part of the value of a variable, or nil if the value does not have it.
func (v *View) part(variable Thing, separator, text string) *yaml.Node {
	value := v.At(variable.Inside(), valueKey)
	if !node.IsString(value) || !joined.Has(value.Value, separator, text) {
		return nil
	}
	return node.String(text)
}

// text returns the wanted text at a path. If it is a value that parts were joined to, what stays keeps its place.
func (r rebaser) text(path string, present, wanted *yaml.Node) *yaml.Node {
	variable, v, isJoined := r.isJoined.at(path)
	if !isJoined {
		return wanted
	}
	was, wasJoined := r.wasJoined[variable]
	if !wasJoined || was.separator != v.separator {
		return wanted
	}
	var entries []*yaml.Node
	for _, e := range r.arrange(v.list(variable), was.split(present), v.split(wanted)) {
		entries = append(entries, e.node)
	}
	switch text := v.text(entries); text {
	case present.Value:
		return present
	case wanted.Value:
		return wanted
	default:
		return withText(wanted, text)
	}
}

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
	if !o.Added[variable.Path][variable.Key].IsOf(withoutValue(present)) {
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
		_, wasThere := u.before(at)
		written, isWritten := u.writtenAs(at, text)
		i := u.find(at)[0]
		switch {
		case text == node.Resolve(opened.present).Value:
			u.put(at, i, opened.present)
		case isWritten:
			u.put(at, i, u.restored(at.Path, written))
		case text == "", !wasThere && isMerged(u.at(at.Path), text):
			u.remove(at, i)
		default:
			u.put(at, i, withText(opened.present, text))
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

// isMerged reports whether a variable has the text as its value from a merge key, so that it needs none of its own.
func isMerged(variable *yaml.Node, text string) bool {
	if !slices.ContainsFunc(variable.Content, func(key *yaml.Node) bool { return key.Value == "<<" }) {
		return false
	}
	rest := node.Mapping()
	for i := 0; i+1 < len(variable.Content); i += 2 {
		if key := variable.Content[i]; key.Value != valueKey {
			rest.Content = append(rest.Content, key, variable.Content[i+1])
		}
	}
	value := node.Get(rest, valueKey)
	return node.IsString(value) && node.Resolve(value).Value == text
}

// isValue reports whether a text in a stamp is the value of a variable.
func isValue(written, text string) bool {
	n, err := readYAML(written)
	return err == nil && (node.IsString(n) && n.Value == text || node.IsNull(n) && text == "")
}

// removePart removes a part from the value of a variable. A value that becomes empty is as a person left it, if that is not a text.
func (t *tree) removePart(variable Thing, separator, text string, left *View) {
	at := variable.value()
	value := t.at(at.Inside())
	if !node.IsString(value) {
		return
	}
	v := joinedValue{separator, []joined.Part{{Text: text}}}
	entries := v.split(value)
	for i, entry := range slices.Backward(entries) {
		if entry.Value != text {
			continue
		}
		rest := withText(value, v.text(slices.Delete(entries, i, i+1)))
		if was := left.At(at.Path, at.Key); rest.Value == "" && !node.IsString(was) {
			t.setOrRemove(at, was)
		} else {
			t.put(at, t.find(at)[0], rest)
		}
		return
	}
}

// withValue returns a variable as a person left it, with the value that it has in the tree. That is left out where it has none, or gets
// one from elsewhere.
func (t *tree) withValue(d Drift) *yaml.Node {
	value := t.at(d.value().Inside())
	if d.Present == nil || node.IsNull(value) || value.Value == "" || !node.IsNull(node.Get(d.Present, "valueFrom")) {
		return d.Present
	}
	kept := node.Clone(d.Present)
	node.Set(kept, valueKey, value)
	return kept
}
