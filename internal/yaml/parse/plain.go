package parse

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar reads the plain or quoted scalar at the cursor and ends right behind it, and at the
// end of the line if it is plain: whether it goes on below is told by what follows.
func (r *reader) scalar() *yaml.Node {
	switch r.text[r.at] {
	case '"', '\'':
		return r.quoted()
	}
	return r.plain(&endsPlain)
}

// byteSet is a set of bytes, as a table.
type byteSet [256]bool

var (
	// endsPlain are the bytes that may end a plain scalar, or do not belong into a simple one.
	endsPlain = byteSet{':': true, '#': true, '\n': true, '\r': true, '\t': true}
	// endsFlowPlain are the same in brackets.
	endsFlowPlain = byteSet{
		':': true, '#': true, '\n': true, '\r': true, '\t': true,
		',': true, '?': true, '[': true, ']': true, '{': true, '}': true,
	}
	// notPlain are the bytes that no plain scalar begins with. The dash is looked at more
	// closely; a question mark or a colon could begin one, but nobody writes that.
	notPlain = byteSet{
		'?': true, ':': true, ',': true, '[': true, ']': true, '{': true, '}': true, '#': true, '&': true, '*': true,
		'!': true, '|': true, '>': true, '\'': true, '"': true, '%': true, '@': true, '`': true, '\t': true,
	}
)

// plain reads the plain scalar at the cursor. Ends are the bytes that may end it.
func (r *reader) plain(ends *byteSet) *yaml.Node {
	start := r.at
	if notPlain[r.text[start]] || r.atDash() || r.atMarker() {
		return nil
	}
	end := r.plainEnd(start, ends)
	if end < 0 || r.text[start:end] == "<<" {
		return nil
	}
	n := r.node(yaml.ScalarNode, "", start)
	n.Value = r.text[start:end]
	n.Tag = tagOf(n)
	r.at = end
	return n
}

// plainEnd is where the part of a plain scalar ends that stands on the line, without blanks
// behind it. It is -1 where there are tabs, which are blanks only sometimes.
func (r *reader) plainEnd(start int, ends *byteSet) int {
	end := start
scan:
	for ; end < len(r.text); end++ {
		c := r.text[end]
		if !ends[c] {
			continue
		}
		switch c {
		case ':':
			if r.blankAt(end + 1) {
				break scan
			}
		case '#':
			if r.text[end-1] == ' ' {
				break scan
			}
		case '\t':
			return -1
		default:
			break scan
		}
	}
	for end > start && r.text[end-1] == ' ' {
		end--
	}
	return end
}

// atMarker tells whether what begins at the cursor looks like the line between two documents,
// or the one behind the last.
func (r *reader) atMarker() bool {
	if r.at != r.lineStart {
		return false
	}
	rest := r.text[r.at:]
	return strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...")
}
