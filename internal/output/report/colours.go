package report

import (
	"bytes"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/escape"
)

// The colours are the sixteen that every terminal has, as its owner has set them.
const (
	red, green, yellow, cyan, bold, reset = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[1m", "\x1b[0m"
)

var severityColours = map[finding.Severity]string{finding.Error: red, finding.Warning: yellow, finding.Info: cyan}

func coloured(colour, text string) string { return colour + text + reset }

// EscapeDiff returns a unified diff whose lines are safe to print to a terminal. The lines around a change may belong
// to objects that were not parsed, and so may have any control characters.
func EscapeDiff(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b < ' ' && b != '\n' && b != '\t' || b > '~' }) {
		return text
	}
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		content := bytes.TrimRight(line, "\r\n")
		b.WriteString(escape.Tabbed(string(content)))
		b.Write(line[len(content):])
	}
	return b.Bytes()
}

// ColourDiff returns a unified diff with colours for a terminal.
func ColourDiff(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		colour := map[byte]string{'-': red, '+': green, '@': cyan}[line[0]]
		if isHead(line) {
			colour = bold
		}
		if colour == "" {
			b.Write(line)
			continue
		}
		b.WriteString(coloured(colour, string(bytes.TrimSuffix(line, []byte("\n")))) + "\n")
	}
	return b.Bytes()
}

// isHead reports whether a line of a diff names its file, which may be quoted.
func isHead(line []byte) bool {
	return slices.ContainsFunc([]string{"diff ", "--- a/", "+++ b/", `--- "a/`, `+++ "b/`}, func(start string) bool {
		return bytes.HasPrefix(line, []byte(start))
	})
}
