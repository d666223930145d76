package splice

import (
	"bytes"
	"errors"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// replaceValue replaces a value behind its key or dash. Its anchor stays, and so do the comments around it, except
// those of an entry of a list.
func (s *splicer) replaceValue(p childRange, a *node.Node) error {
	if p.lead < 0 {
		return errors.New("a key behind a question mark has no colon; write it without the question mark")
	}
	b, end := p.node, s.Behind(p.end)
	style := s.styleAt(end, s.styleIn(p.parent))
	if p.parent.Kind == node.SequenceNode {
		text := append(style.EntryValue(nil, a, s.Column(p.lead)), style.LineEnd...)
		s.replace(p.behind, s.childLinesEnd(p.parent, p.child), text)
		return nil
	}
	column := s.Column(s.childStart(p.parent, 0))
	first, lines := style.Value(nil, a, column), []byte(nil) // the rest of the key's line, and those below
	_, isRestored := style.Text(a)
	if !isRestored || isBlockCollection(a) || isBlockScalar(a) {
		first, lines, _ = bytes.Cut(first, []byte(style.LineEnd))
	}
	switch hasOwnLines := isBlockCollection(b) || s.IsBlank(p.end) && b.Style&node.TaggedStyle == 0; {
	case hasOwnLines && !s.onOneLine(p.behind, p.content):
		s.replace(p.behind, p.behind, first)
		_, lines = s.behindSame(s.Next(p.behind), lines)
		s.replaceLines(s.Start(p.content), end, lines)
		return nil
	case isBlockScalar(b):
		header := lex.ReadBlockHeader(s.Text, p.content).End
		s.replace(p.behind, header, first)
		s.replaceLines(s.Next(header), max(end, s.Next(header)), lines)
	default:
		s.replace(p.behind, max(p.behind, p.end), first)
		below, lines := s.behindSame(s.Next(p.end), lines)
		if !isRestored {
			below = s.BehindComments(below, column)
		}
		s.replaceLines(below, below, lines)
	}
	return s.commentIn(p.behind, p.content)
}

// behindSame passes over the comments and blank lines that a restored value begins with, if they are there: they stayed
// when it was replaced. It returns the next line of the text, and the rest of the lines.
func (s *splicer) behindSame(below int, lines []byte) (int, []byte) {
	for {
		line, rest, _ := bytes.Cut(lines, []byte(s.style.LineEnd))
		if content := bytes.TrimLeft(line, " "); len(rest) == 0 || len(content) > 0 && content[0] != '#' ||
			!bytes.Equal(line, s.Text[below:lex.LineEnd(s.Text, below)]) {
			return below, lines
		}
		below, lines = s.Next(below), rest
	}
}

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }
