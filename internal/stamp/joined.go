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
	if was := r.inside.Pristine.At(at.Path, at.Key); was != nil {
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
	all := joinedBy(u.owners, u.others)
	for variable := range mine {
		at, v := variable.value(), all[variable]
		if value := u.at(at.Inside()); node.IsString(value) {
			i := u.find(at)[0]
			u.joined[variable] = openedValue{v, u.at(at.Path).Content[i]}
			u.put(at, i, node.Mapping(node.String(v.separator), node.Sequence(v.split(value)...)))
		}
	}
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
	if isOpen && !u.isEmpty(opened.list(variable)) || !isOpen && u.at(variable.value().Inside()) != nil {
		return // somebody else needs it
	}
	present := node.Resolve(u.at(variable.Path).Content[indexes[0]])
	if !o.Added[variable.Path][variable.Key].IsOf(withoutValue(present)) {
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Thing: variable, Present: withoutValue(present)})
	}
	delete(u.joined, variable)
	u.shrunk[variable.Path] = true
	u.remove(variable, indexes[0])
}

// closeJoined turns the lists that are left into texts again: as they are or were written, if the content is the same.
func (u *undoer) closeJoined() {
	for variable, opened := range u.joined {
		at := variable.value()
		text := opened.text(node.List(u.at(opened.list(variable))))
		o, wasThere := u.before(at)
		i := u.find(at)[0]
		switch {
		case text == node.Resolve(opened.present).Value:
			u.put(at, i, opened.present)
		case wasThere && isValue(o.Was[at.Path][at.Key], text):
			u.put(at, i, u.restored(at.Path, o.Was[at.Path][at.Key]))
		case text == "":
			u.remove(at, i)
		default:
			u.put(at, i, withText(opened.present, text))
		}
		delete(u.owned, opened.list(variable))
	}
	u.close()
}

// isValue reports whether a text in a stamp is the value of a variable.
func isValue(written, text string) bool {
	n, err := readYAML(written)
	return err == nil && (node.IsString(n) && n.Value == text || node.IsNull(n) && text == "")
}

// removePart removes a part from the value of a variable.
func (t *tree) removePart(variable Thing, separator, text string) {
	at := variable.value()
	value := t.at(at.Inside())
	if !node.IsString(value) {
		return
	}
	v := joinedValue{separator, []joined.Part{{Text: text}}}
	entries := v.split(value)
	for i, entry := range slices.Backward(entries) {
		if entry.Value == text {
			t.put(at, t.find(at)[0], withText(value, v.text(slices.Delete(entries, i, i+1))))
			return
		}
	}
}
