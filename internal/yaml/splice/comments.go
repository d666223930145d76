package splice

import (
	"bytes"
	"slices"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
)

// lostComment returns a comment that the edits remove although its node stays, and that they write nowhere else.
func (s *splicer) lostComment() (lost string) {
	if !slices.ContainsFunc(s.edits, func(e edit.Edit) bool { return bytes.IndexByte(s.Text[e.Start:e.End], '#') >= 0 }) {
		return ""
	}
	left := map[string]int{} // how many of each comment are written again, or removed with their nodes
	for _, e := range s.edits {
		eachComment(e.Text, 0, len(e.Text), func(comment string) { left[comment]++ })
	}
	for _, node := range s.removed {
		eachComment(s.Text, node.Start, node.End, func(comment string) { left[comment]++ })
	}
	for _, e := range s.edits {
		eachComment(s.Text, e.Start, e.End, func(comment string) {
			left[comment]--
			if left[comment] < 0 && lost == "" {
				lost = comment
			}
		})
	}
	return lost
}

// eachComment calls a function for everything in a range of a text that looks like a comment.
func eachComment(text []byte, start, end int, see func(comment string)) {
	for at := start; at < end; at++ {
		if lex.IsCommentAt(text, at) {
			comment := text[at:lex.LineEnd(text, at)]
			see(string(bytes.TrimSpace(comment)))
			at += len(comment)
		}
	}
}
