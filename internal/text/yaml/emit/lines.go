package emit

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxBlockColumn is the column up to which lines are written on lines of their own: each of thousands of lines repeats
// the indent.
const maxBlockColumn = 100

// blockScalar appends a string of several lines as a literal block whose lines begin at the column. It returns false if
// that would not be read back as the same string. A folded block would show where its lines were joined no more than a
// literal one does.
func (s Style) blockScalar(dst []byte, n *node.Node, column int) ([]byte, bool) {
	wanted := n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 ||
		n.Style&(node.DoubleQuotedStyle|node.SingleQuotedStyle) == 0 && strings.Contains(n.Value, "\n")
	body := strings.TrimSuffix(n.Value, "\n")
	if !wanted || s.NoBlockScalars || n.Tag != node.StrTag || column < 1 || column > maxBlockColumn || !fitsBlock(body) {
		return dst, false
	}
	dst = append(dst, '|')
	if body == n.Value {
		dst = append(dst, '-')
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line == "" {
			dst = append(dst, s.LineEnd...)
			continue
		}
		dst = append(s.newLine(dst, column), line...)
	}
	return dst, true
}

// fitsBlock reports whether lines can be written as they are: a block scalar has no escapes,
// and lines that begin or end with blanks make it depend on indentation and chomping.
func fitsBlock(body string) bool {
	if body == "" || body[0] == ' ' || body[0] == '\t' || body[0] == '\n' || strings.HasSuffix(body, "\n") {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimLeft(line, " \t") == "" && line != "" || !isPrintable(strings.ReplaceAll(line, "\t", "")) {
			return false
		}
	}
	return true
}
