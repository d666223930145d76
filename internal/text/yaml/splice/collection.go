package splice

import (
	"errors"
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// collection changes the children of a mapping or sequence.
func (s *splicer) collection(b, a *node.Node) error {
	inBrackets := b.Style&node.FlowStyle != 0
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
			err = s.removeFlow(b, first.before, last.before)
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
	start, end, inBrackets := int(b.Start), int(b.End), parent.Style&node.FlowStyle != 0
	if followable(b, a) {
		isBraces := b.Kind == node.MappingNode && b.Style&node.FlowStyle != 0
		switch nothingStays := isBraces && !slices.ContainsFunc(a.Content, node.IsRead); {
		case len(b.Content) == 0 && !inBrackets: // it is filled on lines, without its brackets
			filled := *a
			filled.Style &^= node.FlowStyle
			a = &filled
			fallthrough
		case len(b.Content) == 0:
			if err := s.commentIn(start, end); err != nil {
				return err
			}
		case len(a.Content) > 0 && !nothingStays:
			return s.collection(b, a)
		}
	}
	if !inBrackets {
		return s.replaceValue(s.rangeOf(parent, index), a)
	}
	var text []byte
	if start == end && s.Text[start-1] == ':' { // it was written as nothing
		text = []byte{' '}
	}
	s.replace(start, end, s.style.FlowValue(text, a, s.lineIndent(start)))
	return nil
}
