package extent

import "go.yaml.in/yaml/v3"

// explicitMark is the offset of the "?" that the next key of a block mapping is written with, or -1.
func (f *finder) explicitMark(indent int) int {
	at := f.skipSpace(f.at)
	if at+1 < len(f.text) && f.text[at] == '?' && f.blankOrBreak(at+1) && f.Column(at) == indent {
		return at
	}
	return -1
}

// key finds a key of a block mapping, which begins with its "?" where it has one.
func (f *finder) key(key *yaml.Node, mark, indent int) error {
	if mark >= 0 {
		f.at = mark + 1
	}
	if err := f.node(key, indent, false); err != nil {
		return err
	}
	e := f.nodes[key]
	if mark >= 0 {
		e.Start = mark
		f.nodes[key] = e
	}
	if f.Column(e.Start) != indent {
		return f.odd(key)
	}
	return nil
}
