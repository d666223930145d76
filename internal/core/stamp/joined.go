package stamp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Several injectors may join values to one variable, and each owns its own part there. So such a value counts as a list
// of parts, around the app's text. The path of the list is that of the value followed by the separator, and the key of
// a part is its text: spec/containers/app/env/PYTHONPATH/value/: and /agent.
//
// A variable that the app does not have, and to which others may join values as well, is recorded without its value.

// Joined is a part that an injector joined to the value of a variable.
type Joined struct {
	Variable  Address // in the list of variables of a container
	Separator string
	Part      joined.Part
}

// Part returns a part of the value of a variable.
func Part(variable Address, separator, text string) Address {
	return variable.value().Child(separator).Child(text)
}

const valueKey = "value"

// value returns the value of a variable.
func (t Address) value() Address { return t.Child(valueKey) }

// JoinedVariable returns the variable and the separator of the list at a path, if that is a list of what was joined to
// the value of a variable.
func JoinedVariable(path string) (variable Address, separator string, ok bool) {
	const steps = 7 // spec, containers, a name, env, a name, value, the separator
	if !insideContainer(path) || strings.Count(path, "/") != steps-1 {
		return Address{}, "", false
	}
	list := AddressOf(path)
	value := AddressOf(list.Path)
	variable = AddressOf(value.Path)
	return variable, list.Key, list.Key != "" && value.Key == valueKey && last(variable.Path) == "env"
}

func (c Change) isPart() bool { return c.IsPart }

// JoinedParts returns what the injector joined to values of variables.
func (s *Stamp) JoinedParts() []Joined {
	var all []Joined
	for _, at := range s.addresses(Change.isPart) {
		variable, separator, _ := JoinedVariable(at.Path)
		all = append(all, Joined{variable, separator, joined.Part{Text: at.Key, Before: s.Changes[at].InFront}})
	}
	return all
}

// CopyLayouts takes over how the values were written that both stamps of an injector join something to, from an
// older stamp. So the stamp stays the same if a person edits the app's part of a value.
func (s *Stamp) CopyLayouts(old *Stamp) {
	if old == nil {
		return
	}
	for at, c := range s.Changes {
		was := old.Changes[at]
		isJoined := func(s *Stamp) bool { return at.Key == valueKey && s.IsJoined(AddressOf(at.Path)) }
		if isJoined(s) && isJoined(old) && c.Before != nil && was.Before != nil {
			c.Before = was.Before
			s.Changes[at] = c
		}
	}
}

// IsJoined reports whether the injector joined something to a variable.
func (s *Stamp) IsJoined(variable Address) bool { return s.Separator(variable) != "" }

// Separator returns the separator of what the injector joined to a variable, or "". It finds them all once.
func (s *Stamp) Separator(variable Address) string {
	if s.joinedWith == nil {
		s.joinedWith = map[Address]string{}
		for _, j := range s.JoinedParts() {
			s.joinedWith[j.Variable] = j.Separator
		}
	}
	return s.joinedWith[variable]
}

// joined records a part, and how the app's value was written that it was joined to, or a new variable. The position of a
// part is on one side of what the app has, even if that is nothing.
func (r recorder) joined(j Joined) {
	text := j.Part.Text
	r.change(Part(j.Variable, j.Separator, text), func(c *Change) {
		c.Fingerprint = partOf(text, j.Part.Before)
	})
	app := r.inside.App.At(j.Variable.Path, j.Variable.Key)
	if app == nil {
		r.hashes.AddTo(r.Stamp, j.Variable, node.Mapping(node.String("name"), node.String(j.Variable.Key)))
		r.emptyAround(j.Variable.Path)
	} else if was := node.OwnValue(app, valueKey); was != nil {
		r.was(j.Variable.value(), was)
	}
}

// partOf returns the fingerprint of a text that is joined to a value.
func partOf(text string, inFront bool) Fingerprint {
	return Fingerprint{Hash: hashOf(node.String(text)), IsPart: true, InFront: inFront}
}

// appendPart appends what was joined to a value to the text of a stamp, if anything was.
func (w word) appendPart(dst []byte) []byte {
	if w.separator == "" {
		return dst
	}
	return appendKey(append(appendKey(append(dst, '&'), w.separator), w.part.side()), w.text)
}

// readPart reads that.
func (s *Stamp) readPart(variable Address, from string) (rest string, ok bool) {
	separator, rest, ok := cutKey(from)
	if !ok || rest == "" || rest[0] != frontSide && rest[0] != backSide {
		return "", false
	}
	inFront := rest[0] == frontSide
	text, rest, ok := cutKey(rest[1:])
	s.change(Part(variable, separator, text), func(c *Change) { c.Fingerprint = partOf(text, inFront) })
	return rest, ok && text != ""
}

// MaxParts is how many values an injector may join to one variable: each is searched for in the value.
const MaxParts = 100

// validatePart makes sure that an injection joins such a part to a value, if a stamp names one. A value has one
// separator, or is whole.
func (s *Stamp) validatePart(at Address, f Fingerprint, parts int) error {
	variable, separator, isPart := JoinedVariable(at.Path)
	switch {
	case isPart != f.IsPart:
		return errForeign
	case !isPart:
		return nil
	case parts > MaxParts:
		return fmt.Errorf("it joins %d values to the variable %s; the most is %d", parts, variable.Key, MaxParts)
	case s.Separator(variable) != separator, s.Adds(variable.Inside(), valueKey):
		return errForeign
	}
	return nil
}

// isValueOfVariable reports whether a path leads to the value of a variable. That is a text, which has nothing in it
// but parts.
func isValueOfVariable(path string) bool {
	return insideContainer(path) && last(path) == valueKey && last(AddressOf(AddressOf(path).Path).Path) == "env"
}

// joinedValue is a value that injectors joined parts to.
type joinedValue struct {
	separator string
	parts     []joined.Part
}

// joinedValues are the values that injectors joined parts to, by variable.
type joinedValues map[Address]joinedValue

// joinedBy returns the values that owners joined parts to. All parts of a value have the same separator.
func joinedBy(owners ...[]Owner) joinedValues {
	all := joinedValues{}
	for _, some := range owners {
		for _, o := range some {
			for _, j := range o.JoinedParts() {
				v := all[j.Variable]
				v.separator = cmp.Or(v.separator, j.Separator)
				if v.separator == j.Separator {
					v.parts = append(v.parts, j.Part)
					all[j.Variable] = v
				}
			}
		}
	}
	return all
}

// at returns what was joined to the value that a path leads to, and its variable.
func (all joinedValues) at(path string) (variable Address, v joinedValue, ok bool) {
	if len(all) == 0 || last(path) != valueKey {
		return Address{}, joinedValue{}, false
	}
	variable = AddressOf(AddressOf(path).Path)
	v, ok = all[variable]
	return variable, v, ok
}

func (all joinedValues) has(variable Address) bool { return all[variable].separator != "" }

// remove returns the app's text in a value, and the parts that are in it, in their order there. A value that is not a
// string has none.
func (v joinedValue) remove(value *node.Node) (app string, found []joined.Part) {
	if !node.IsString(value) {
		return "", nil
	}
	return joined.Remove(node.Resolve(value).Value, v.separator, v.parts)
}

// removeParts removes parts from the value of a variable. What is left stays as it is, if that is all of it, or is
// written as it was before, if the content is the same.
func (u *undoer) removeParts(p *editedNode, variable Address, v joinedValue, all []named) {
	var present *node.Node
	value := p.find(valueKey)
	if len(value) > 0 {
		present = p.node.Content[value[0]]
	}
	app, found := v.remove(present)
	u.steps += len(all) + len(node.Text(present))
	stays := map[string]bool{}
	for _, part := range found {
		stays[part.Text] = true
	}
	isChanged := false
	for _, n := range all {
		switch {
		case u.done[n.Address] || u.addedByOthers[n.Address]:
		case n.Address != Part(variable, v.separator, n.Key) || !stays[n.Key]:
			u.missing(p, n)
		default:
			stays[n.Key] = false
			isChanged = true
		}
		u.done[n.Address] = true
	}
	if !isChanged {
		return
	}
	goes := func(part joined.Part) bool { return !stays[part.Text] }
	left := joined.Add(app, v.separator, slices.DeleteFunc(found, goes))
	if written, isWritten := u.writtenAs(variable.value(), left); isWritten {
		p.node.Content[value[0]] = u.restored(written)
	} else if left == "" {
		p.remove(value[0])
		p.close()
	} else {
		p.node.Content[value[0]] = node.StringLike(present, left)
	}
}

// writtenAs returns how a value was written that has a text again, according to the first stamp that knows it. The
// others may know an earlier value of the app.
func (u *undoer) writtenAs(at Address, text string) (written string, ok bool) {
	for _, o := range u.owners {
		before := o.Changes[at].Before
		if before == nil {
			continue
		}
		n, err := readYAML(*before)
		if err == nil && (node.IsString(n) && n.Value == text || node.IsNull(n) && text == "") {
			return *before, true
		}
	}
	return "", false
}

// removeVariable removes a variable that an owner added and joined something to, unless there is more in it than its
// name. Then somebody else needs it, and it is the app's from now on.
func (u *undoer) removeVariable(p *editedNode, n named) {
	all := p.find(n.Key)
	if len(all) == 0 {
		u.missing(p, n)
		return
	}
	rest := node.Clone(node.Resolve(p.node.Content[all[0]]))
	if value := node.Get(rest, valueKey); node.IsString(value) && value.Value == "" {
		node.Delete(rest, valueKey)
	}
	if n.IsOf(n.Address, rest) {
		p.remove(all[0])
	}
}

// text returns the wanted text at a path. A value that has the same text of the app and the same parts stays as it is,
// wherever a person has put them, if the parts of the run are in the wanted order.
func (r rebaser) text(path string, present, wanted *node.Node) *node.Node {
	variable, v, isJoined := r.joined.at(path)
	if !isJoined {
		return wanted
	}
	among := func(all map[Address]bool, parts []joined.Part) []joined.Part {
		isOthers := func(part joined.Part) bool { return !all[Part(variable, v.separator, part.Text)] }
		return slices.DeleteFunc(slices.Clone(parts), isOthers)
	}
	app, parts := v.remove(present)
	wantedApp, wantedParts := v.remove(wanted)
	if app == wantedApp && len(parts) == len(wantedParts) &&
		slices.Equal(among(r.old, parts), among(r.isNew, wantedParts)) {
		return present
	}
	return wanted
}

// keysIn returns the keys of the entries of the list at a path. Those of a value are the parts in it.
func (all joinedValues) keysIn(view *View, path string) []string {
	var keys []string
	variable, _, isJoined := JoinedVariable(path)
	if !isJoined {
		for _, entry := range view.List(path) {
			keys = append(keys, KeyOf(path, entry))
		}
		return keys
	}
	_, found := all[variable].remove(view.At(variable.Inside(), valueKey))
	for _, part := range found {
		keys = append(keys, part.Text)
	}
	return keys
}
