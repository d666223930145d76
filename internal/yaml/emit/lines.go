package emit

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// maxBlockColumn is the column up to which lines are written on lines of their own: each of thousands of lines repeats the indent.
const maxBlockColumn = 100

// blockScalar appends a string of several lines as a literal or folded block whose lines begin
// at the column. It returns false if that would not be read back as the same string.
func (s Style) blockScalar(dst []byte, n *node.Node, column int) ([]byte, bool) {
	wanted := n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 ||
		n.Style&(node.DoubleQuotedStyle|node.SingleQuotedStyle) == 0 && strings.Contains(n.Value, "\n")
	body := strings.TrimSuffix(n.Value, "\n")
	if !wanted || s.NoBlockScalars || n.ShortTag() != node.StrTag || column < 1 || column > maxBlockColumn || !fitsBlock(body) {
		return dst, false
	}
	// Folding keeps the lines, except that lines next to blank or indented ones would not be joined again.
	folded := n.Style&node.FoldedStyle != 0 && !strings.Contains(body, "\n\n") && !strings.Contains(body, "\n ") &&
		!strings.Contains(body, "\n\t")
	indicator := byte('|')
	if folded {
		indicator = '>'
	}
	dst = append(dst, indicator)
	if body == n.Value {
		dst = append(dst, '-')
	}
	for i, line := range strings.Split(body, "\n") {
		if folded && i > 0 {
			dst = append(dst, s.LineEnd...)
		}
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
