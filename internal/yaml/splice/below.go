package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// cutBelow cuts the comments off that stood below an empty collection. They are still in the text.
func (s *splicer) cutBelow(a *yaml.Node, text []byte) (value []byte, below [][]byte) {
	lines := bytes.Split(text, []byte(s.style.LineEnd))
	if a.Kind == yaml.ScalarNode || len(a.Content) > 0 {
		return text, nil
	}
	first := len(lines)
	for first > 1 && bytes.HasPrefix(bytes.TrimLeft(lines[first-1], " "), []byte("#")) {
		first--
	}
	return bytes.Join(lines[:first], []byte(s.style.LineEnd)), lines[first:]
}

// aboveSame returns the first of the lines above a line that are the same as others, or the line itself
// where they are not.
func (s *splicer) aboveSame(line int, others [][]byte) int {
	at := line
	for i := len(others) - 1; i >= 0; i-- {
		if at == 0 {
			return line
		}
		at = s.Start(at - 1)
		if !bytes.Equal(bytes.TrimSpace(s.text[at:s.End(at)]), bytes.TrimSpace(others[i])) {
			return line
		}
	}
	return at
}
