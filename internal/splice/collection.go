package splice

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
)

// collection makes the changes inside of a mapping or sequence.
func (s *splicer) collection(b, a *yaml.Node) error {
	changes, err := align(b, a)
	if err != nil {
		return err
	}
	if b.Style&yaml.FlowStyle != 0 {
		return s.flowCollection(b, a, changes)
	}
	return s.blockCollection(b, a, changes)
}

// child makes the changes inside of an entry or a pair that stays.
func (s *splicer) child(b, a *yaml.Node, c change) error {
	if b.Kind == yaml.SequenceNode {
		return s.value(b, b.Content[c.before], a.Content[c.after])
	}
	oldKey, newKey := b.Content[2*c.before], a.Content[2*c.after]
	if !sameText(oldKey, newKey) {
		e := s.Get(oldKey)
		flow := b.Style&yaml.FlowStyle != 0
		s.replace(e.Start, e.End, s.flowStyle(b).Key(nil, newKey, flow))
	}
	return s.value(b, b.Content[2*c.before+1], a.Content[2*c.after+1])
}

// value makes the changes inside of a value, or writes it anew.
func (s *splicer) value(parent, b, a *yaml.Node) error {
	if same, err := s.unchanged(b, a); same || err != nil {
		return err
	}
	flow := parent.Style&yaml.FlowStyle != 0
	if followable(b, a) {
		switch {
		case len(a.Content) == 0 && (!flow || b.Style&yaml.FlowStyle == 0):
		case len(b.Content) == 0 && !flow:
			a = asBlock(a)
		default:
			return s.collection(b, a)
		}
	}
	if flow {
		e := s.Get(b)
		s.replace(e.Start, e.End, s.flowStyle(parent).FlowValue(nil, a, 0))
		return nil
	}
	return s.blockValue(parent, b, a)
}

// asBlock is the collection without brackets of its own: "[]" becomes lines when it is
// filled, unless it stands inside of other brackets.
func asBlock(n *yaml.Node) *yaml.Node {
	c := *n
	c.Style &^= yaml.FlowStyle
	return &c
}

// units writes the new children of a collection one by one.
func units(a *yaml.Node, fresh []int, pair func(key, value *yaml.Node) []byte, entry func(*yaml.Node) []byte) [][]byte {
	written := make([][]byte, len(fresh))
	for i, index := range fresh {
		if a.Kind == yaml.MappingNode {
			written[i] = pair(a.Content[2*index], a.Content[2*index+1])
		} else {
			written[i] = entry(a.Content[index])
		}
	}
	return written
}

// lines writes the new children of a block collection as lines at a column.
func lines(a *yaml.Node, fresh []int, column int, style emit.Style) []byte {
	var text []byte
	for i, unit := range units(a, fresh,
		func(key, value *yaml.Node) []byte { return style.Pair(nil, key, value, column) },
		func(entry *yaml.Node) []byte { return style.Entry(nil, entry, column) },
	) {
		if i > 0 {
			text = append(text, style.LineEnd...)
		}
		text = append(indentation(text, column), unit...)
	}
	return text
}

func indentation(text []byte, column int) []byte {
	for range column {
		text = append(text, ' ')
	}
	return text
}
