package splice

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// lostComment returns a comment that the edits, which are in order, remove although its node stays, and that they write
// nowhere else.
func (s *splicer) lostComment() string {
	if !slices.ContainsFunc(s.edits, func(e edit.Edit) bool { return bytes.IndexByte(s.Text[e.Start:e.End], '#') >= 0 }) {
		return ""
	}
	written := map[string]int{}
	for _, e := range s.edits {
		for line := range bytes.Lines(e.Text) {
			written[commentIn(line)]++
		}
	}
	slices.SortFunc(s.removed, func(a, b edit.Edit) int { return a.Start - b.Start })
	removed, removedUntil := s.removed, 0
	for _, e := range s.edits {
		for at := e.Start; at < e.End; at++ {
			if !lex.IsCommentAt(s.Text, at) {
				continue
			}
			for ; len(removed) > 0 && removed[0].Start <= at; removed = removed[1:] {
				removedUntil = max(removedUntil, removed[0].End)
			}
			if at < removedUntil {
				continue
			}
			end := lex.LineEnd(s.Text, at)
			comment := commentIn(s.Text[at:end])
			written[comment]--
			if written[comment] < 0 {
				return comment
			}
			at = end
		}
	}
	return ""
}

// LostComments counts the comments of a text that are missing in another version of it. Text of a scalar of the document that looks
// like a comment does not count.
func LostComments(before, after []byte, document *node.Node) int {
	left := map[string]int{"": math.MaxInt32} // not every line has a comment
	node.Visit(document, func(n *node.Node) {
		for line := range strings.Lines(n.Value) {
			left[commentIn([]byte(line))] = math.MaxInt32
		}
	})
	for line := range bytes.Lines(after) {
		left[commentIn(line)]++
	}
	lost := 0
	for line := range bytes.Lines(before) {
		comment := commentIn(line)
		left[comment]--
		if left[comment] < 0 {
			lost++
		}
	}
	return lost
}

// commentIn returns what looks like the comment of a line.
func commentIn(line []byte) string {
	for at := range line {
		if lex.IsCommentAt(line, at) {
			return string(bytes.TrimSpace(line[at:]))
		}
	}
	return ""
}
