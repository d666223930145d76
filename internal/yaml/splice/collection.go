package splice

import (
	"errors"

	"pillion.dev/pillion/internal/yaml/node"
)

// collection changes the children of a mapping or sequence.
func (s *splicer) collection(b, a *node.Node) error {
	change := s.blockCollection
	if b.Style&node.FlowStyle != 0 {
		change = s.flowCollection
	}
	mark := len(s.changes)
	defer func() { s.changes = s.changes[:mark] }()
	var err error
	if s.changes, err = align(s.changes, b, a); err != nil {
		return err
	}
	return change(b, a, s.changes[mark:])
}

// child changes an entry or a pair that stays.
func (s *splicer) child(b, a *node.Node, c change) error {
	if b.Kind == node.SequenceNode {
		return s.value(b, b.Content[c.before], a.Content[c.after])
	}
	oldKey, newKey := b.Content[2*c.before], a.Content[2*c.after]
	if !sameText(oldKey, newKey) {
		if oldKey.Kind != node.ScalarNode {
			return errors.New("a key that is not a scalar changes")
		}
		e := s.Get(oldKey)
		s.removeNode(e.Start, e.End)
		flow := b.Style&node.FlowStyle != 0
		s.replace(e.Start, e.End, s.flowStyle(b).Scalar(nil, newKey, flow))
	}
	return s.value(b, b.Content[2*c.before+1], a.Content[2*c.after+1])
}

// value changes a value, or replaces it.
func (s *splicer) value(parent, b, a *node.Node) error {
	if same, err := s.unchanged(b, a); same || err != nil {
		return err
	}
	flow := parent.Style&node.FlowStyle != 0
	if followable(b, a) {
		switch {
		case len(a.Content) == 0 && (!flow || b.Style&node.FlowStyle == 0):
		case len(b.Content) == 0 && !flow && !s.holdsComment(s.Get(b).Content, s.Get(b).End):
			a = asBlock(a)
		default:
			return s.collection(b, a)
		}
	}
	e := s.Get(b)
	if flow {
		s.removeNode(e.Start, e.End)
		s.replace(e.Start, e.End, s.flowStyle(parent).FlowValue(nil, a, string(s.lineIndent(e.Start))))
		return nil
	}
	_, known := s.styleAt(s.Behind(e.End), s.style).Text(a)
	if parent.Kind == node.SequenceNode && (known || b.Kind == node.MappingNode) {
		s.replaceEntry(b, s.valueText(parent, b, a))
		return nil
	}
	s.removeNode(e.Start, e.End)
	if known {
		return s.restoreValue(parent, b, a)
	}
	return s.blockValue(parent, b, a)
}

// asBlock returns the collection without its own brackets: "[]" becomes lines when it is
// filled, unless it is inside of other brackets.
func asBlock(n *node.Node) *node.Node {
	c := *n
	c.Style &^= node.FlowStyle
	return &c
}
