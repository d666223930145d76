package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// endPlain goes to the token behind the plain scalar that was read on the line. It adds the next lines to the scalar
// if they are deeper than its parent.
func (r *reader) endPlain(scalar *yaml.Node, parent int) *yaml.Node {
	behind := r.cursor
	if !r.endLine() {
		return nil
	}
	if r.column <= parent {
		return scalar
	}
	// This is rare enough to read the lines again.
	r.cursor = behind
	r.built = append(r.built[:0], scalar.Value...)
	for r.continues(parent) {
		end := r.plainEnd(r.at, false)
		if end <= r.at {
			return nil
		}
		r.built = append(r.built, r.text[r.at:end]...)
		r.at = end
	}
	if !r.endLine() {
		return nil
	}
	scalar.Value = r.takeBuilt()
	scalar.Tag = ""
	scalar.Tag = tagOf(scalar)
	return scalar
}

// continues goes to the next line of a plain scalar, and writes what the breaks before it
// become. It returns false, and leaves the cursor, if the scalar ends on this line.
func (r *reader) continues(parent int) bool {
	behind := r.cursor
	r.skipSpaces()
	if r.atBreak() {
		size := len(r.built)
		tabless := r.foldLines(false) && !r.hasTab(behind.at, r.at)
		if tabless && r.at-r.lineStart > parent && r.peek(r.at) != '#' && r.peek(r.at) != 0 {
			return true
		}
		r.built = r.built[:size]
	}
	r.cursor = behind
	return false
}

// foldLines goes to the text behind the line break at the cursor, and writes what the breaks before it become: one is a space,
// or nothing if it is escaped, and each further one is kept. It returns false at a document marker.
func (r *reader) foldLines(escaped bool) bool {
	r.newLine(r.at)
	kept := 0
	for r.at = lex.SkipBlanks(r.text, r.at); r.atBreak(); r.at = lex.SkipBlanks(r.text, r.at) {
		r.newLine(r.at)
		r.built = append(r.built, '\n')
		kept++
	}
	if kept == 0 && !escaped {
		r.built = append(r.built, ' ')
	}
	return !r.atMarker()
}
