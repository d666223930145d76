package splice

import (
	"errors"

	"pillion.dev/pillion/internal/yaml/node"
)

// collection changes the children of a mapping or sequence.
func (s *splicer) collection(b, a *node.Node) error {
	inBrackets := b.Style&node.FlowStyle != 0
	if c := s.text[s.content(b)]; inBrackets && c != '[' && c != '{' {
		return errors.New("a pair without braces inside of brackets changes")
	}
	mark := len(s.changes)
	defer func() { s.changes = s.changes[:mark] }()
	var err error
	if s.changes, err = align(s.changes, b, a); err != nil {
		return err
	}
	for changes := s.changes[mark:]; len(changes) > 0 && err == nil; {
		count, next := runOf(changes), children(b)
		run := changes[:count]
		if changes = changes[count:]; len(changes) > 0 {
			next = changes[0].before
		}
		switch first, last := run[0], run[count-1]; {
		case first.before >= 0 && first.after >= 0:
			err = s.child(b, a, first)
		case first.before >= 0 && inBrackets:
			s.removeFlow(b, first.before, last.before)
		case first.before >= 0:
			err = s.removeChildren(b, first.before, last.before)
		case inBrackets:
			s.insertFlow(b, next, a, run)
		default:
			s.insertBlock(b, next, a, run)
		}
	}
	return err
}

// child changes an entry or a pair that stays.
func (s *splicer) child(b, a *node.Node, c change) error {
	if oldKey, newKey := head(b, c.before), head(a, c.after); b.Kind == node.MappingNode && !sameText(oldKey, newKey) {
		if oldKey.Kind != node.ScalarNode {
			return errors.New("a key that is not a scalar changes")
		}
		s.replaceNode(oldKey, s.flowStyle(b).Scalar(nil, newKey, b.Style&node.FlowStyle != 0))
	}
	return s.value(b, valueIndex(b, c.before), a.Content[valueIndex(a, c.after)])
}

// replaceNode replaces the text of a node, with the comments in it.
func (s *splicer) replaceNode(b *node.Node, text []byte) {
	s.removeNode(int(b.Start), int(b.End))
	s.replace(int(b.Start), int(b.End), text)
}

// value changes a value, or replaces it.
func (s *splicer) value(parent *node.Node, index int, a *node.Node) error {
	b := parent.Content[index]
	if sameText(b, a) {
		return nil
	}
	inBrackets := parent.Style&node.FlowStyle != 0
	if followable(b, a) {
		switch {
		case len(a.Content) == 0 && (!inBrackets || b.Style&node.FlowStyle == 0):
		case len(b.Content) == 0 && !inBrackets && !s.holdsComment(s.content(b), int(b.End)):
			a = asBlock(a)
		default:
			return s.collection(b, a)
		}
	}
	if inBrackets {
		var text []byte
		if b.Start == b.End && s.text[b.Start-1] == ':' { // it was written as nothing
			text = []byte{' '}
		}
		s.replaceNode(b, s.flowStyle(parent).FlowValue(text, a, s.lineIndent(int(b.Start))))
		return nil
	}
	s.replaceValue(s.placeOf(parent, index), a)
	return nil
}

// asBlock returns the collection without its own brackets: "[]" becomes lines when it is
// filled, unless it is inside of other brackets.
func asBlock(n *node.Node) *node.Node {
	c := *n
	c.Style &^= node.FlowStyle
	return &c
}
