package splice

import (
	"errors"
	"slices"

	"pillion.dev/pillion/internal/yaml/node"
)

// collection changes the children of a mapping or sequence.
func (s *splicer) collection(b, a *node.Node) error {
	inBrackets := b.Style&node.FlowStyle != 0
	if c := s.Text[s.content(b)]; inBrackets && c != '[' && c != '{' {
		return errors.New("a pair without braces inside of brackets changes")
	}
	mark := len(s.changes)
	defer func() { s.changes = s.changes[:mark] }()
	var err error
	if s.changes, err = align(s.changes, b, a); err != nil {
		return err
	}
	for changes := s.changes[mark:]; len(changes) > 0 && err == nil; {
		count, next := runOf(changes), b.Children()
		run := changes[:count]
		if changes = changes[count:]; len(changes) > 0 {
			next = changes[0].before
		}
		switch first, last := run[0], run[count-1]; {
		case first.before >= 0 && first.after >= 0 && b.Kind == node.MappingNode && !sameText(head(b, first.before), head(a, first.after)):
			err = errors.New("a key changes")
		case first.before >= 0 && first.after >= 0:
			err = s.value(b, valueIndex(b, first.before), a.Content[valueIndex(a, first.after)])
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

// value changes a value, or replaces it.
func (s *splicer) value(parent *node.Node, index int, a *node.Node) error {
	b := parent.Content[index]
	if sameText(b, a) {
		return nil
	}
	inBrackets := parent.Style&node.FlowStyle != 0
	if followable(b, a) {
		switch {
		case b.Kind == node.MappingNode && b.Style&node.FlowStyle != 0 && s.isShort(b) && !slices.ContainsFunc(a.Content, node.IsRead):
			// nothing stays in the braces
		case len(a.Content) == 0 && (!inBrackets || b.Style&node.FlowStyle == 0):
		case len(b.Content) == 0 && !inBrackets && !s.holdsComment(s.content(b), int(b.End)):
			filled := *a // on lines, without the brackets of an empty collection
			filled.Style &^= node.FlowStyle
			a = &filled
		default:
			return s.collection(b, a)
		}
	}
	if inBrackets {
		var text []byte
		if b.Start == b.End && s.Text[b.Start-1] == ':' { // it was written as nothing
			text = []byte{' '}
		}
		start, end := int(b.Start), int(b.End)
		s.removeNode(start, end)
		s.replace(start, end, s.flowStyle(parent).FlowValue(text, a, s.lineIndent(start)))
		return nil
	}
	s.replaceValue(s.placeOf(parent, index), a)
	return nil
}
