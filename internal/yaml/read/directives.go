package read

import (
	"bytes"
	"fmt"

	"pillion.dev/pillion/internal/yaml/lex"
)

// maxDirectives is how many directives a document may have, because the library compares each with all others.
const maxDirectives = 32

// checkDirectives refuses a document with more directives, such as %TAG, than any real manifest.
func checkDirectives(text []byte) error {
	if bytes.IndexByte(text, '%') < 0 {
		return nil
	}
	text = bytes.TrimPrefix(text, []byte(lex.ByteOrderMark))
	count := 0
	for number, start := 1, 0; start < len(text); number++ {
		end := lex.LineEnd(text, start)
		switch content := bytes.TrimLeft(text[start:end], " \t"); {
		case text[start] == '%':
			count++
		case len(content) > 0 && content[0] != '#':
			count = 0 // a document begins or goes on
		}
		if count > maxDirectives {
			return fmt.Errorf("yaml: line %d: this document has more than %d directives; remove some", number, maxDirectives)
		}
		start = end + max(lex.BreakAt(text, end), 1)
	}
	return nil
}
