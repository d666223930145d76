package splice

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// withComments returns a copy of the tree in which nodes of the original have its comments again.
func withComments(after, original *yaml.Node) *yaml.Node {
	originals := map[node.Identity]*yaml.Node{}
	node.Visit(original, func(n *yaml.Node) { originals[node.IdentityOf(n)] = n })
	c := node.Copy(after)
	node.Visit(c, func(n *yaml.Node) {
		if o := originals[node.IdentityOf(n)]; o != nil && node.IsRead(n) {
			n.HeadComment, n.LineComment, n.FootComment = o.HeadComment, o.LineComment, o.FootComment
		}
	})
	return c
}

func placesIn(document *yaml.Node) map[node.Identity]bool {
	if document == nil {
		return nil
	}
	places := map[node.Identity]bool{}
	node.Visit(document, func(n *yaml.Node) { places[node.IdentityOf(n)] = true })
	return places
}

// wasPutIn reports whether a child of a collection is the work of an earlier change.
func (s *splicer) wasPutIn(b *yaml.Node, i int) bool {
	n := b.Content[i]
	if b.Kind == yaml.MappingNode {
		n = b.Content[2*i]
	}
	return s.bare != nil && !s.bare[node.IdentityOf(n)]
}

// goes notes that a node goes that stands at a range, and the comments inside with it.
func (s *splicer) goes(start, end int) { s.gone = append(s.gone, edit.Edit{Start: start, End: end}) }

// lostComment returns a comment that the edits, which are in order, take out though what it stands at is
// still there, and that they put nowhere else.
func (s *splicer) lostComment() string {
	if !slices.ContainsFunc(s.edits, func(e edit.Edit) bool { return bytes.IndexByte(s.text[e.Start:e.End], '#') >= 0 }) {
		return ""
	}
	put := map[string]int{}
	for _, e := range s.edits {
		for line := range bytes.Lines(e.Text) {
			put[commentIn(line)]++
		}
	}
	slices.SortFunc(s.gone, func(a, b edit.Edit) int { return a.Start - b.Start })
	gone, goneUntil := s.gone, 0
	for _, e := range s.edits {
		for at := e.Start; at < e.End; at++ {
			if !lex.IsCommentAt(s.text, at) {
				continue
			}
			for ; len(gone) > 0 && gone[0].Start <= at; gone = gone[1:] {
				goneUntil = max(goneUntil, gone[0].End)
			}
			if at < goneUntil {
				continue
			}
			end := s.End(at)
			comment := commentIn(s.text[at:end])
			put[comment]--
			if put[comment] < 0 {
				return comment
			}
			at = end
		}
	}
	return ""
}

// LostComments counts the comments of a text that are not in another version of it. What looks
// like a comment, but is part of a scalar of the document, is none.
func LostComments(before, after []byte, document *yaml.Node) int {
	left := map[string]int{}
	for line := range bytes.Lines(after) {
		left[commentIn(line)]++
	}
	lost := 0
	var inScalars map[string]bool
	for line := range bytes.Lines(before) {
		comment := commentIn(line)
		left[comment]--
		if comment != "" && left[comment] < 0 {
			if inScalars == nil {
				inScalars = likeComments(document)
			}
			if !inScalars[comment] {
				lost++
			}
		}
	}
	return lost
}

// commentIn returns the comment that a line ends with, as far as the line alone can tell.
func commentIn(line []byte) string {
	for at := range line {
		if lex.IsCommentAt(line, at) {
			return string(bytes.TrimSpace(line[at:]))
		}
	}
	return ""
}

// likeComments returns the lines of scalars that look as if they ended with a comment.
func likeComments(document *yaml.Node) map[string]bool {
	found := map[string]bool{}
	node.Visit(document, func(n *yaml.Node) {
		for line := range strings.Lines(n.Value) {
			found[commentIn([]byte(line))] = true
		}
	})
	return found
}
