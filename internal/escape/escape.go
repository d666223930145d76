// Package escape makes text of strangers safe to print.
package escape

import (
	"strconv"
	"strings"
	"unicode"
)

// Line escapes characters that would move a terminal's cursor: anyone may have written the names in manifests.
func Line(text string) string {
	if !strings.ContainsFunc(text, IsHidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if IsHidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// IsHidden reports whether a character is one that a terminal acts on or does not show.
func IsHidden(r rune) bool { return !unicode.IsPrint(r) }
