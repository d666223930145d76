package manifest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"unicode"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/work/parallel"
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
	return errorIn(text, at, "the input is not UTF-8: byte 0x%02x at offset %d; save it as UTF-8", text[at], at)
}

// ErrAmbiguous is the reason why Read refuses a text that kubectl, which splits a stream before it parses the
// documents, divides into other lines or documents than a parser of YAML. An object could be hidden there.
var ErrAmbiguous = errors.New("so that kubectl may find other objects than other readers")

// surveyBytes is about how much of a text is surveyed at once. Tests make it smaller.
var surveyBytes = 1 << 18

// survey is what surveyed looks for in a piece of a text, which consists of whole lines.
type survey struct {
	isUTF8, hasLoneReturn bool
	// marks are the offsets of the lines that begin with three dashes, three dots or a byte order mark.
	marks []int
}

// piecesOf cuts a text into pieces for a survey.
func piecesOf(text []byte) []span {
	var pieces []span
	for start := firstLine(text); start < len(text); {
		end := lex.NextLine(text, min(start+surveyBytes, len(text)))
		pieces = append(pieces, span{start, end})
		start = end
	}
	return pieces
}

func surveyPiece(text []byte, at span) survey {
	piece := text[at.start:at.end]
	return survey{utf8.Valid(piece), lex.HasLoneReturn(piece), marksIn(text, at.start, at.end)}
}

// surveyed refuses a text that is not UTF-8, or in which something ends a line or a document for some readers only. It
// returns the offsets of the document markers.
func surveyed(text []byte) (markers []int, err error) {
	pieces := piecesOf(text)
	surveys := make([]survey, len(pieces))
	parallel.Do(context.Background(), len(pieces), func(i int) { surveys[i] = surveyPiece(text, pieces[i]) })
	all := survey{isUTF8: true}
	for _, s := range surveys {
		all.isUTF8 = all.isUTF8 && s.isUTF8
		all.hasLoneReturn = all.hasLoneReturn || s.hasLoneReturn
		all.marks = append(all.marks, s.marks...)
	}
	if !all.isUTF8 {
		return nil, notUTF8(text)
	}
	if all.hasLoneReturn {
		at := 0
		for !lex.HasLoneReturn(text[at:lex.NextLine(text, at)]) {
			at = lex.NextLine(text, at)
		}
		return nil, errorIn(text, at,
			"this line has a carriage return in it, %w; end lines with a line feed, or write \\r in double quotes", ErrAmbiguous)
	}
	if at := len(text) - len(bytes.TrimLeft(text, " \t\r\n")); beginsInvisible(text[at:]) {
		return nil, errorIn(text, at, "the text begins with an invisible space, %w; remove it", ErrAmbiguous)
	}
	for _, at := range all.marks {
		switch {
		case lex.IsMarkerAt(text, at) && beginsInvisible(bytes.TrimLeft(text[at+3:], " \t")):
			return nil, errorIn(text, at,
				"an invisible space follows the %s on this line, %w; remove it", text[at:at+3], ErrAmbiguous)
		case lex.IsMarkerAt(text, at):
			markers = append(markers, at)
		case text[at] == lex.ByteOrderMark[0]:
			return nil, errorIn(text, at, "this line begins with a byte order mark, which is invisible, %w; remove it", ErrAmbiguous)
		case text[at] == '-':
			return nil, errorIn(text, at, "this line begins with --- and goes on without a space, %w; "+
				"write a space behind the dashes, or indent the line", ErrAmbiguous)
		}
	}
	return markers, nil
}

// beginsInvisible reports whether a text begins with a space that is one for kubectl, and a letter in YAML.
func beginsInvisible(text []byte) bool {
	first, _ := utf8.DecodeRune(text)
	return first >= utf8.RuneSelf && unicode.IsSpace(first)
}

// marksIn returns the marks in a range of lines.
func marksIn(text []byte, start, end int) (marks []int) {
	for at := start; at < end; at = lex.NextLine(text, at) {
		switch text[at] {
		case '-', '.', lex.ByteOrderMark[0]:
			if at+3 <= len(text) && slices.Contains([]string{"---", "...", lex.ByteOrderMark}, string(text[at:at+3])) {
				marks = append(marks, at)
			}
		}
	}
	return marks
}

// firstLine returns the offset behind the byte order mark that a text may begin with.
func firstLine(text []byte) int {
	if bytes.HasPrefix(text, []byte(lex.ByteOrderMark)) {
		return len(lex.ByteOrderMark)
	}
	return 0
}
