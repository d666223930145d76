package manifest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"pillion.dev/pillion/internal/parallel"
	"pillion.dev/pillion/internal/yaml/lex"
)

// notUTF8 returns the error of a text that is not UTF-8.
func notUTF8(text []byte) error {
	if bytes.HasPrefix(text, []byte{0xFE, 0xFF}) || bytes.HasPrefix(text, []byte{0xFF, 0xFE}) {
		return errors.New("the input is UTF-16; save it as UTF-8")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return errors.New("this is a binary file; expected YAML or JSON")
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return errorAt(lineAt(text, at), "the input is not UTF-8: byte 0x%02x at offset %d; save it as UTF-8", text[at], at)
}

// ErrAmbiguous is the reason why Read refuses a text that kubectl, which splits a stream before it parses the documents, divides into
// other lines or documents than a parser of YAML. An object could be hidden there.
var ErrAmbiguous = errors.New("so that kubectl may find other objects than other readers")

// surveyBytes is about how much of a text is surveyed at once.
const surveyBytes = 1 << 18

// survey is what is known of a piece of a text before it is read.
type survey struct {
	span
	isUTF8, hasLoneReturn bool
	marks                 []int // the lines that begin with three dashes, three dots or a byte order mark
}

// surveyed refuses a text that is not UTF-8, or in which something ends a line or a document for some readers only. It returns the offsets
// of the document markers. It goes over a text that may be large, and uses all cores.
func surveyed(text []byte) (markers []int, err error) {
	var pieces []survey
	start := 0
	if bytes.HasPrefix(text, []byte(lex.ByteOrderMark)) {
		start = len(lex.ByteOrderMark)
	}
	for start < len(text) {
		end := lex.NextLine(text, min(start+surveyBytes, len(text)))
		pieces = append(pieces, survey{span: span{start, end}})
		start = end
	}
	parallel.Do(context.Background(), len(pieces), func(i int) { pieces[i].look(text) })
	isUTF8, hasLoneReturn := true, false
	var marks []int
	for _, p := range pieces {
		isUTF8, hasLoneReturn, marks = isUTF8 && p.isUTF8, hasLoneReturn || p.hasLoneReturn, append(marks, p.marks...)
	}
	if !isUTF8 {
		return nil, notUTF8(text)
	}
	if hasLoneReturn {
		at := 0
		for !lex.HasLoneReturn(text[at:lex.NextLine(text, at)]) {
			at = lex.NextLine(text, at)
		}
		return nil, errorAt(lineAt(text, at),
			"this line has a carriage return in it, %w; end lines with a line feed, or write \\r in double quotes", ErrAmbiguous)
	}
	return markersAmong(text, marks)
}

// look surveys the piece.
func (s *survey) look(text []byte) {
	piece := text[s.start:s.end]
	s.isUTF8, s.hasLoneReturn = utf8.Valid(piece), lex.HasLoneReturn(piece)
	for at := s.start; at < s.end; at = lex.NextLine(text, at) {
		switch text[at] {
		case '-', '.', lex.ByteOrderMark[0]:
			if at+3 <= len(text) && slices.Contains([]string{"---", "...", lex.ByteOrderMark}, string(text[at:at+3])) {
				s.marks = append(s.marks, at)
			}
		}
	}
}

// markersAmong returns the document markers among lines that begin like one. It refuses lines that are one for some readers only.
func markersAmong(text []byte, marks []int) (markers []int, err error) {
	for _, at := range marks {
		switch {
		case lex.IsMarkerAt(text, at):
			markers = append(markers, at)
		case text[at] == lex.ByteOrderMark[0]:
			return nil, errorAt(lineAt(text, at), "this line begins with a byte order mark, which is invisible, %w; remove it", ErrAmbiguous)
		case text[at] == '-' && err == nil:
			err = errorAt(lineAt(text, at), "this line begins with --- and goes on without a space, %w; "+
				"write a space behind the dashes, or indent the line", ErrAmbiguous)
		}
	}
	return markers, err
}
