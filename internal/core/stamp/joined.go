package stamp

import (
	"fmt"
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
