package extent

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

func (f *finder) blockMapping(n *yaml.Node, changed version, indent int) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		mark := f.explicitMark(indent)
		if err := f.key(key, changed.of(key), mark, indent); err != nil {
			return err
		}
		colon := lex.SkipBlanks(f.text, f.at)
		if mark >= 0 {
			colon = lex.SkipSpace(f.text, f.at)
		}
		switch {
		case f.isAt(colon, ':') && (mark < 0 || f.Column(colon) == indent):
		case mark >= 0 && isEmpty(value): // the library puts it where the next token is
			f.found = append(f.found, found{value, Extent{Start: f.at, Content: f.at, End: f.at, Lead: -1}})
			continue
		default:
			return f.unclear(key)
		}
		f.at = colon + 1
		if err := f.node(value, changed.of(value), surroundings{indent, false, colon}); err != nil {
			return err
		}
	}
	return nil
}

// explicitMark returns the offset of the "?" that the next key of a block mapping is written with, or -1.
func (f *finder) explicitMark(indent int) int {
	at := lex.SkipSpace(f.text, f.at)
	if at+1 < len(f.text) && f.text[at] == '?' && lex.IsSpaceAt(f.text, at+1) && f.Column(at) == indent {
		return at
	}
	return -1
}

// key finds a key of a block mapping, which begins with its "?" if it has one.
func (f *finder) key(key, changed *yaml.Node, mark, indent int) error {
	if mark >= 0 {
		f.at = mark + 1
	}
	index := len(f.found)
	if err := f.node(key, changed, surroundings{indent, false, -1}); err != nil {
		return err
	}
	e := &f.found[index]
	if mark >= 0 {
		e.Start = mark
	}
	if f.Column(e.Start) != indent {
		return f.unclear(key)
	}
	return nil
}

func (f *finder) blockSequence(n *yaml.Node, changed version, indent int) error {
	for _, entry := range n.Content {
		dash := lex.SkipSpace(f.text, f.at)
		if !f.isAt(dash, '-') || f.Column(dash) != indent {
			return f.unclear(entry)
		}
		f.at = dash + 1
		if err := f.node(entry, changed.of(entry), surroundings{indent, false, dash}); err != nil {
			return err
		}
	}
	return nil
}

// flowCollection finds the children of a collection in brackets, and its closing bracket.
// A pair without braces, as in "[a: b]", ends with its value.
func (f *finder) flowCollection(n *yaml.Node, changed version, at int) error {
	hasBrackets := f.isAt(at, '{') || f.isAt(at, '[')
	if hasBrackets {
		f.at = at + 1
	}
	for i, child := range n.Content {
		colon := -1
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			if at := lex.SkipSpace(f.text, f.at); f.isAt(at, ':') {
				colon, f.at = at, at+1
			}
		}
		if err := f.node(child, changed.of(child), surroundings{-1, true, colon}); err != nil {
			return err
		}
	}
	if !hasBrackets {
		return nil
	}
	closing := lex.SkipSpace(f.text, f.at)
	if f.isAt(closing, ',') {
		closing = lex.SkipSpace(f.text, closing+1)
	}
	if !f.isAt(closing, ']') && !f.isAt(closing, '}') {
		return f.unclear(n)
	}
	f.at = closing + 1
	return nil
}
