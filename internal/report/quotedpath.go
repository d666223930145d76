package report

import (
	"fmt"
	"strings"
)

// quotedPath returns a path as git writes it into a diff: unchanged, or as a C string if it has a quote, a backslash, a control
// character or a byte that is not ASCII.
func quotedPath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		b.WriteString(quotedByte(path[i]))
	}
	if b.Len() == len(path) {
		return path
	}
	return `"` + b.String() + `"`
}

func quotedByte(c byte) string {
	const escaped, letters = "\a\b\t\n\v\f\r\"\\", `abtnvfr"\`
	switch i := strings.IndexByte(escaped, c); {
	case i >= 0:
		return `\` + letters[i:i+1]
	case c < ' ' || c >= 0x7f:
		return fmt.Sprintf(`\%03o`, c)
	}
	return string(rune(c))
}
