// Package escape makes text of strangers safe to print.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line escapes characters that would move a terminal's cursor, bytes that are not UTF-8, and what a CI system would take
// for a command: anyone may have written the names in manifests, and those of files.
func Line(text string) string {
	if IsPlain(text) || !strings.ContainsFunc(text, IsHidden) && utf8.ValidString(text) {
		return withoutCommands(text)
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case IsHidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return withoutCommands(b.String())
}

// withoutCommands escapes what begins a command in the log of a CI system: ##[command], ##vso[ or ##teamcity[ anywhere,
// and ::command at the start of a line, for which GitHub skips spaces.
func withoutCommands(text string) string {
	text = strings.ReplaceAll(text, "##", `#\x23`)
	if rest := strings.TrimLeft(text, " "); strings.HasPrefix(rest, "::") {
		text = strings.TrimSuffix(text, rest) + `\x3a` + rest[1:]
	}
	return text
}

// VisibleLines escapes a text of several lines as Visible does.
func VisibleLines(text string) string { return eachPart(text, "\n", Visible) }

// Lines escapes a text of several lines as Tabbed does.
func Lines(text string) string { return eachPart(text, "\n", Tabbed) }

// Visible escapes characters that a terminal or a browser would act on instead of showing them, such as a change of
// writing direction. Tabs stay, because a page shows them.
func Visible(line string) string {
	if IsPlain(line) {
		return line
	}
	return Tabbed(strings.ToValidUTF8(line, "\uFFFD"))
}

// Tabbed escapes as Line does, except tabs.
func Tabbed(line string) string { return eachPart(line, "\t", Line) }

// eachPart escapes the parts between separators.
func eachPart(text, separator string, escape func(part string) string) string {
	parts := strings.Split(text, separator)
	for i, part := range parts {
		parts[i] = escape(part)
	}
	return strings.Join(parts, separator)
}

// IsPlain reports whether a text has only printable characters of ASCII, as nearly all have. It is fast.
func IsPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// IsHidden reports whether a character is one that a terminal acts on or does not show.
func IsHidden(r rune) bool { return !unicode.IsPrint(r) }

// Clip shortens a text to about that many bytes.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// ClipArgs shortens the strings among the arguments of a format: a manifest may have names of megabytes, and thousands
// of findings about them.
func ClipArgs(args []any) []any {
	const most = 1 << 10
	for i, arg := range args {
		if text, ok := arg.(string); ok && len(text) > most {
			args[i] = Clip(text, most)
		}
	}
	return args
}
