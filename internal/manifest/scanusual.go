package manifest

import "pillion.dev/pillion/internal/yaml/lex"

// inWord holds the bytes of words, as most keys are, and beginsValue those that most values on the line of their key begin with.
var (
	inWord      = lex.SetOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")
	beginsValue = lex.SetOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./|>")
)

// finishUsual does what finishAny does if a line is written in one of the usual ways, and reports whether it is. These are nearly all
// lines of a large stream: "key:", "key: value", and both behind dashes, or a word alone.
func (s *scanner) finishUsual() bool {
	text, at, parent, column := s.text[:s.next], s.content, s.open, s.column
	for at+1 < len(text) && text[at] == '-' && text[at+1] == ' ' {
		parent = column
		at, column = at+2, column+2
	}
	word := at
	for at < len(text) && inWord[text[at]] {
		at++
	}
	switch behind := text[at:]; {
	case at == word || text[word] == '-' || len(behind) == 0: // a dash may be alone on its line
		return false
	case behind[0] == '\n':
		s.open, s.deeper = parent, parent
	case behind[0] == ':' && len(behind) > 1 && behind[1] == '\n':
		s.open, s.deeper = column, nothingDeeper
	case behind[0] == ':' && len(behind) > 2 && behind[1] == ' ' && beginsValue[behind[2]]:
		s.open, s.deeper = column, column
	default:
		return false
	}
	return true
}
