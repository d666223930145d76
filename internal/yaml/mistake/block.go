package mistake

import (
	"bytes"
	"slices"

	"pillion.dev/pillion/internal/yaml/lex"
)

// scanner goes over the lines of a document on which something begins, until it finds a mistake. It stops without a result
// where the text is written in an unusual way: a wrong explanation is worse than none.
type scanner struct {
	text []byte
	// levels are the block collections around the current line, the innermost last.
	levels []level
	// open is set if the last key or dash has no value yet, so that a deeper collection or a scalar may follow.
	open bool
	// scalar is the column of the text in the block scalar that ends before the current line, or -1.
	scalar int
	// hasRoot is set if the document is a scalar or in brackets, so that nothing may follow.
	hasRoot bool
	// unsure is set where the scanner stops without a result.
	unsure bool
}

// level is a mapping or a list.
type level struct {
	column int
	isList bool
}

func newScanner(text []byte) *scanner { return &scanner{text: text, scalar: -1} }

// document returns the first mistake, or nil.
func (s *scanner) document() *fault {
	if lex.HasRareBreaks(s.text) {
		return nil
	}
	at := 0
	if bytes.HasPrefix(s.text, []byte(lex.ByteOrderMark)) {
		at = len(lex.ByteOrderMark)
	}
	for at < len(s.text) && !s.unsure {
		begin := at
		for begin < len(s.text) && s.text[begin] == ' ' {
			begin++
		}
		switch {
		case lex.RestIsBlank(s.text, begin):
			at = lex.NextLine(s.text, begin)
			continue
		case s.text[begin] == '\t':
			return tabFault(begin)
		case begin == at && (lex.IsMarkerAt(s.text, at) || s.text[at] == '%'):
			s.unsure = len(s.levels) > 0 || s.hasRoot || s.text[at] == '%' || !lex.RestIsBlank(s.text, at+3)
			at = lex.NextLine(s.text, at)
			continue
		case s.hasRoot:
			s.unsure = true
		default:
			next, found := s.line(begin, begin-at)
			if found != nil && !s.unsure {
				return found
			}
			s.unsure = s.unsure || next <= at // so that the loop ends
			at = next
		}
	}
	return nil
}

// line reads what begins on a line, and returns the start of the line behind it.
func (s *scanner) line(at, column int) (next int, found *fault) {
	isEntry := s.isIndicator(at, '-')
	isKey := false
	if !isEntry {
		if _, isKey, found = s.key(at); found != nil {
			return at, found
		}
	}
	wasOpen := s.open
	s.open = false
	if !isEntry && !isKey {
		return s.loose(at, column, wasOpen)
	}
	if found := s.enter(at, column, isEntry, wasOpen); found != nil {
		return at, found
	}
	s.scalar = -1
	return s.content(at, column)
}

// enter opens a collection with the entry or the key at the offset, or finds the collection that it continues.
func (s *scanner) enter(at, column int, isEntry, wasOpen bool) *fault {
	top := s.top()
	beginsList := isEntry && !top.isList && column == top.column
	if wasOpen && (column > top.column || beginsList) || len(s.levels) == 0 {
		s.levels = append(s.levels, level{column, isEntry})
		return nil
	}
	if column > top.column {
		return s.indentFault(at, column)
	}
	around := s.levels
	for s.top().column > column {
		s.levels = s.levels[:len(s.levels)-1]
	}
	top = s.top()
	switch {
	case top.column < column:
		s.levels = around
		return s.indentFault(at, column)
	case isEntry && !top.isList:
		return faultf(at, `this list entry is in line with the keys of a mapping; indent it under the key that it belongs to`)
	case !isEntry && top.isList:
		s.levels = s.levels[:len(s.levels)-1]
		if s.top().column < column { // the list is not in line with the key that it belongs to
			return keyAmongEntries(s.text, at)
		}
	}
	return nil
}

// top returns the innermost collection. Outside of all collections, the column is -1.
func (s *scanner) top() level {
	if len(s.levels) == 0 {
		return level{column: -1}
	}
	return s.levels[len(s.levels)-1]
}

// content reads an entry or a key with what follows on the line.
func (s *scanner) content(at, column int) (next int, found *fault) {
	for s.isIndicator(at, '-') {
		value := lex.SkipBlanks(s.text, at+1)
		if lex.RestIsBlank(s.text, value) {
			s.open = true
			return lex.NextLine(s.text, value), nil
		}
		isEntry, isKey := s.isIndicator(value, '-'), false
		if !isEntry { // a key may be as long as the line, and there may be a dash in every second byte of it
			_, isKey, found = s.key(value)
		}
		switch {
		case found != nil:
			return at, found
		case !isEntry && !isKey:
			return s.value(value, column)
		case bytes.IndexByte(s.text[at:value], '\t') >= 0:
			s.unsure = true
			return value, nil
		}
		column += value - at
		at = value
		s.levels = append(s.levels, level{column, isEntry})
	}
	behind, _, _ := s.key(at)
	value := lex.SkipBlanks(s.text, behind)
	if lex.RestIsBlank(s.text, value) {
		s.open = true
		return lex.NextLine(s.text, value), nil
	}
	return s.value(value, column)
}

// loose reads a line that is neither an entry nor a key: a value on a line of its own, or a mistake.
func (s *scanner) loose(at, column int, wasOpen bool) (next int, found *fault) {
	switch top := s.top(); {
	case len(s.levels) == 0:
		s.hasRoot = true
		return s.value(at, -1)
	case wasOpen && column > top.column:
		return s.value(at, top.column)
	case s.text[at] == '|' || s.text[at] == '>': // the library accepts a block scalar here
		s.unsure = true
		return at, nil
	case column > top.column || !s.isLevel(column):
		return at, s.indentFault(at, column)
	}
	return at, s.wordFault(at)
}

func (s *scanner) isLevel(column int) bool {
	return slices.ContainsFunc(s.levels, func(l level) bool { return l.column == column })
}

// key reports whether a key begins at the offset, and returns the offset behind its colon.
func (s *scanner) key(at int) (behind int, isKey bool, found *fault) {
	start := at
	at = s.skipProperties(at)
	if at >= len(s.text) || lex.RestIsBlank(s.text, at) {
		s.unsure = s.unsure || at > start
		return at, false, nil
	}
	switch s.text[at] {
	case '"', '\'':
		end := lex.QuotedEnd(s.text, at)
		if end < 0 {
			return at, false, s.quoteFault(at)
		}
		at = lex.SkipBlanks(s.text, end)
	case '*':
		at = lex.SkipBlanks(s.text, lex.NameEnd(s.text, at+1))
	case '{', '[', '|', '>', '@', '`', '%', ',', ']', '}':
		return at, false, nil
	case '?', ':':
		if lex.IsSpaceAt(s.text, at+1) {
			s.unsure = true
			return at, false, nil
		}
		at = lex.PlainEnd(s.text, at, false)
	default:
		at = lex.PlainEnd(s.text, at, false)
	}
	return at + 1, s.isIndicator(at, ':'), nil
}

// isIndicator reports whether a dash, a question mark or a colon is at the offset and is not part of a plain scalar.
func (s *scanner) isIndicator(at int, c byte) bool {
	return at < len(s.text) && s.text[at] == c && lex.IsSpaceAt(s.text, at+1)
}

// skipProperties returns the offset behind an anchor and a tag on the line.
func (s *scanner) skipProperties(at int) int {
	for at < len(s.text) && (s.text[at] == '&' || s.text[at] == '!') {
		at = lex.SkipBlanks(s.text, lex.WordEnd(s.text, at, false))
	}
	return at
}
