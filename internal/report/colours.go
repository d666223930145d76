package report

import (
	"bytes"

	"pillion.dev/pillion/finding"
)

// painter colours text, or leaves it plain.
type painter bool

const (
	plainly  painter = false
	colourly painter = true
)

// The colours are the sixteen that every terminal has, as its owner has set them.
const (
	red, green, yellow, cyan, bold, reset = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[1m", "\x1b[0m"
)

func (p painter) in(colour, text string) string {
	if p == plainly {
		return text
	}
	return colour + text + reset
}

func (p painter) severity(s finding.Severity) string {
	switch s {
	case finding.Error:
		return p.in(red, s.String())
	case finding.Warning:
		return p.in(yellow, s.String())
	default:
		return p.in(cyan, s.String())
	}
}

func (p painter) place(text string) string { return p.in(bold, text) }

// ColourDiff is a unified diff with colours for a terminal.
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
		b.WriteString(colourly.in(colour, string(bytes.TrimSuffix(line, []byte("\n")))) + "\n")
	}
	return b.Bytes()
}

// isHead reports whether a line of a diff names its file, which may be quoted.
func isHead(line []byte) bool {
	for _, start := range []string{"diff ", "--- a/", "+++ b/", `--- "a/`, `+++ "b/`} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}
