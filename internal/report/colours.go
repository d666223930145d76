package report

import (
	"bytes"
	"slices"

	"pillion.dev/pillion/finding"
)

// The colours are the sixteen that every terminal has, as its owner has set them.
const (
	red, green, yellow, cyan, bold, reset = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[1m", "\x1b[0m"
)

var severityColours = map[finding.Severity]string{finding.Error: red, finding.Warning: yellow, finding.Info: cyan}

func coloured(colour, text string) string { return colour + text + reset }

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
