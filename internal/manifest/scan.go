package manifest

import "bytes"

// scanner goes over the lines of one document on which something begins. Lines inside of
// quotes, brackets and block scalars, blank lines and comments are passed over.
//
// It is exact for text that the YAML parser accepts, or says that it is unsure. It does not
// find all errors: lines that it passes over may hold anything.
type scanner struct {
	text []byte
	end  int // of the document
	next int // start of the line behind the current one
	// unsure tells that the text is written in a way that needs the parser.
	unsure bool

	// line is the start of the current line; content is the offset of the first byte
	// on it that is looked at and column is where that stands.
	line, content, column int
	// behind is the start of the line behind the last one on which something began.
	behind int

	// open is the column of the innermost key or dash that the current line leaves without
	// a value; a scalar on lines of its own belongs to it.
	open int
	// deeper is set when the current line ends in a plain or block scalar: all lines that
	// stand deeper than this column belong to the scalar.
	deeper int

	depth int // of objects in objects
	names names
}

// nothingDeeper is a column that no line stands deeper than.
const nothingDeeper = int(^uint(0) >> 1)

func newScanner(text []byte, at span, names names) *scanner {
	return &scanner{text: text, end: at.end, next: at.start, open: -1, deeper: nothingDeeper, names: names}
}

// advance goes to the next line on which something begins. It says no at the end and where
// the scanner is unsure.
func (s *scanner) advance() bool {
	s.behind = s.next
	for !s.unsure && s.next < s.end {
		s.line = s.next
		at := s.line
		for at < s.end && s.text[at] == ' ' {
			at++
		}
		s.content, s.column = at, at-s.line
		s.next = s.lineEnd(at)
		if s.restIsBlank(at) || s.column > s.deeper {
			continue
		}
		if s.text[at] == '\t' {
			s.unsure = true
			return false
		}
		return true
	}
	s.line, s.content, s.column = s.end, s.end, -1
	return false
}

// lineEnd is the start of the line behind the one that the offset stands in.
func (s *scanner) lineEnd(at int) int {
	if i := bytes.IndexByte(s.text[at:s.end], '\n'); i >= 0 {
		return at + i + 1
	}
	return s.end
}

// restIsBlank tells whether nothing but blanks or a comment follows on the line. The offset
// stands at the start of the line's content or behind a blank.
func (s *scanner) restIsBlank(at int) bool {
	for at < s.end && isBlank(s.text[at]) {
		at++
	}
	return at >= s.end || isBreak(s.text[at]) || s.text[at] == '#'
}

// skipBlanks passes over blanks on the line.
func (s *scanner) skipBlanks(at int) int {
	for at < s.end && isBlank(s.text[at]) {
		at++
	}
	return at
}

// blankAt tells whether the offset is at a blank, a line break or the end.
func (s *scanner) blankAt(at int) bool {
	return at >= s.end || isBlank(s.text[at]) || isBreak(s.text[at])
}

// isDash tells whether an entry of a list begins at the current content.
func (s *scanner) isDash() bool {
	return s.content < s.end && s.text[s.content] == '-' && s.blankAt(s.content+1)
}

// isIndicator tells whether an entry of a list or a complex key begins at the current content.
func (s *scanner) isIndicator() bool {
	return s.isDash() || s.text[s.content] == '?' && s.blankAt(s.content+1)
}

// finish passes over what begins at the current content, to the end of all lines that it
// takes.
func (s *scanner) finish() {
	at, parent := s.content, s.open
	s.deeper = nothingDeeper
	for at < s.end && (s.text[at] == '-' || s.text[at] == '?') && s.blankAt(at+1) {
		parent = s.column + at - s.content
		at = s.skipBlanks(at + 1)
	}
	s.open = parent
	if !s.restIsBlank(at) {
		s.finishNode(at, parent)
	}
}

// finishNode passes over a key with its value or over a value alone. Parent is the column of
// the key or dash that it belongs to.
func (s *scanner) finishNode(at, parent int) {
	if value, isKey := s.behindKey(at); isKey {
		parent = s.column + at - s.content
		s.open = parent
		at = s.skipBlanks(value)
		if s.restIsBlank(at) {
			return
		}
	}
	at = s.skipProperties(at)
	if s.restIsBlank(at) {
		return
	}
	switch c := s.text[at]; c {
	case '"', '\'', '{', '[':
		end := s.flowEnd(at)
		if end < 0 || !s.restIsBlank(end) {
			s.unsure = true
			return
		}
		s.next = s.lineEnd(end)
	case '*':
	default:
		s.deeper = parent
	}
}

// behindKey is the offset behind the colon of the key at the offset. It says no where no key
// stands there.
func (s *scanner) behindKey(at int) (value int, isKey bool) {
	at = s.skipProperties(at)
	if at >= s.end {
		return 0, false
	}
	switch s.text[at] {
	case '"', '\'':
		if at = s.quotedEnd(at); at < 0 {
			s.unsure = true
			return 0, false
		}
		at = s.skipBlanks(at)
	case '*':
		for at < s.end && !s.blankAt(at) && s.text[at] != ':' {
			at++
		}
		at = s.skipBlanks(at)
	case '{', '[', '|', '>':
		return 0, false
	default:
		for ; at < s.end && s.text[at] != '\n'; at++ {
			switch s.text[at] {
			case ':':
				if s.blankAt(at + 1) {
					return at + 1, true
				}
			case '#':
				if isBlank(s.text[at-1]) {
					return 0, false
				}
			}
		}
		return 0, false
	}
	if at < s.end && s.text[at] == ':' && s.blankAt(at+1) {
		return at + 1, true
	}
	return 0, false
}

// skipProperties passes over an anchor and a tag on the line.
func (s *scanner) skipProperties(at int) int {
	for at < s.end && (s.text[at] == '&' || s.text[at] == '!') {
		for !s.blankAt(at) {
			at++
		}
		at = s.skipBlanks(at)
	}
	return at
}
