package escape

import (
	"strings"
)

// VisibleLines escapes a text of several lines as Visible does.
func VisibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return strings.Join(lines, "\n")
}

// Visible escapes characters that a terminal or a browser would act on instead of showing them, such as a change of writing
// direction. Tabs stay, because a page shows them.
func Visible(line string) string {
	if IsPlain(line) {
		return line
	}
	parts := strings.Split(strings.ToValidUTF8(line, "\uFFFD"), "\t")
	for i, part := range parts {
		parts[i] = Line(part)
	}
	return strings.Join(parts, "\t")
}
