package manifest

import (
	"math"

	"pillion.dev/pillion/internal/yaml/lex"
)

// scanner goes over the lines of one document on which something begins. It passes over lines inside of
// quotes, brackets and block scalars, blank lines and comments.
//
// For text that the YAML parser accepts, it is exact, or unsure. It does not find all errors: lines that it passes over
// may hold anything.
type scanner struct {
	text []byte // the stream up to the end of the document
	next int    // start of the line behind the current one
	// unsure is set if the text is written in a way that needs the parser.
	unsure bool

	// line is the start of the current line, content the offset of the first byte on it that matters, and column that
	// byte's column.
	line, content, column int
	// behind is the start of the line behind the last one on which something began.
	behind int

	// open is the column of the innermost key or dash that the current line leaves without
	// a value; a scalar on lines of its own belongs to it.
	open int
	// deeper is set if the current line ends in a plain or block scalar: all lines that
	// are deeper than this column belong to the scalar.
	deeper int

	depth int // of objects in objects
	names interner
}

// nothingDeeper is a column that no line is deeper than.
const nothingDeeper = math.MaxInt

// advance goes to the next line on which something begins. It reports false at the end, and where the scanner is unsure.
func (s *scanner) advance() bool {
	s.behind = s.next
	for !s.unsure && s.next < len(s.text) {
		s.line = s.next
		at := lex.SkipSpaces(s.text, s.line)
		s.content, s.column = at, at-s.line
		s.next = lex.NextLine(s.text, at)
		if s.column > s.deeper || lex.RestIsBlank(s.text, at) {
			continue
		}
		if s.text[at] == '\t' {
			s.unsure = true
			return false
		}
		return true
	}
	s.line, s.content, s.column = len(s.text), len(s.text), -1
	return false
}

// isEntry reports whether an entry of a list begins at the current content.
func (s *scanner) isEntry() bool { return s.isIndicator(s.content, '-') }

// keyAt reports whether a key begins at the current content, and returns the offset behind its colon.
func (s *scanner) keyAt() (value int, isKey bool) {
	if s.isEntry() || s.isIndicator(s.content, '?') {
		return 0, false
	}
	return s.behindKey(s.content)
}

// isIndicator reports whether a dash, a question mark or a colon is at the offset and is not part of a plain scalar.
func (s *scanner) isIndicator(at int, c byte) bool {
	return at < len(s.text) && s.text[at] == c && lex.IsSpaceAt(s.text, at+1)
}

// finish passes over what begins at the current content, to the end of all its lines.
func (s *scanner) finish() {
	if !s.finishUsual() {
		s.finishAny()
	}
}

// finishAny is finish for a line that is written in any way.
func (s *scanner) finishAny() {
	at, parent := s.content, s.open
	s.deeper = nothingDeeper
	for at < len(s.text) && (s.text[at] == '-' || s.text[at] == '?') && lex.IsSpaceAt(s.text, at+1) {
		parent = s.column + at - s.content
		at = lex.SkipBlanks(s.text, at+1)
	}
	s.open = parent
	if !lex.RestIsBlank(s.text, at) {
		s.finishNode(at, parent)
	}
}

// finishNode passes over a key with its value, or over a value alone. Parent is the column of
// the key or dash that it belongs to.
func (s *scanner) finishNode(at, parent int) {
	if value, isKey := s.behindKey(at); isKey {
		parent = s.column + at - s.content
		s.open = parent
		at = lex.SkipBlanks(s.text, value)
		if lex.RestIsBlank(s.text, at) {
			return
		}
	}
	at = s.skipProperties(at)
	if lex.RestIsBlank(s.text, at) {
		return
	}
	switch c := s.text[at]; c {
	case '"', '\'', '{', '[':
		end := s.flowEnd(at)
		if end < 0 || !lex.RestIsBlank(s.text, end) {
			s.unsure = true
			return
		}
		s.next = lex.NextLine(s.text, end)
	case '*':
	default:
		s.deeper = parent
	}
}

// behindKey returns the offset behind the colon of the key at the offset, and whether there is a key.
func (s *scanner) behindKey(at int) (value int, isKey bool) {
	at = s.skipProperties(at)
	if at >= len(s.text) {
		return 0, false
	}
	switch s.text[at] {
	case '"', '\'':
		if at = lex.QuotedEnd(s.text, at); at < 0 {
			s.unsure = true
			return 0, false
		}
		at = lex.SkipBlanks(s.text, at)
	case '*':
		at = lex.SkipBlanks(s.text, lex.NameEnd(s.text, at+1))
	case '{', '[', '|', '>':
		return 0, false
	default:
		at = lex.PlainEnd(s.text, at, false)
	}
	return at + 1, s.isIndicator(at, ':')
}

// skipProperties returns the offset behind an anchor and a tag on the line.
func (s *scanner) skipProperties(at int) int {
	for at < len(s.text) && (s.text[at] == '&' || s.text[at] == '!') {
		at = lex.SkipBlanks(s.text, lex.WordEnd(s.text, at, false))
	}
	return at
}
