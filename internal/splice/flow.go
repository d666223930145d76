package splice

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
)

// flowCollection makes the changes to the children of a collection in brackets.
func (s *splicer) flowCollection(b, a *yaml.Node, changes []change) error {
	if c := s.text[s.Get(b).Content]; c != '[' && c != '{' {
		return errors.New("a pair without braces inside of brackets changes")
	}
	style := s.flowStyle(b)
	for i := 0; i < len(changes); {
		c := changes[i]
		if c.before >= 0 && c.after >= 0 {
			if err := s.child(b, a, c); err != nil {
				return err
			}
			i++
			continue
		}
		run := i + 1
		for run < len(changes) && (changes[run].before >= 0) == (c.before >= 0) && (changes[run].after >= 0) == (c.after >= 0) {
			run++
		}
		if c.after < 0 {
			s.removeFlow(b, c.before, changes[run-1].before)
			i = run
			continue
		}
		var fresh []int
		for ; i < run; i++ {
			fresh = append(fresh, changes[i].after)
		}
		written := units(a, fresh,
			func(key, value *yaml.Node) []byte { return style.FlowPair(nil, key, value, 0) },
			func(entry *yaml.Node) []byte { return style.FlowValue(nil, entry, 0) },
		)
		if run < len(changes) {
			s.insertBeforeFlow(b, changes[run].before, written)
		} else {
			s.appendFlow(b, written)
		}
	}
	return nil
}

// flowStart is where a child in brackets begins.
func (s *splicer) flowStart(b *yaml.Node, i int) int { return s.Get(head(b, i)).Start }

// flowEnd is where a child in brackets ends, without its comma.
func (s *splicer) flowEnd(b *yaml.Node, i int) int {
	return max(s.childEnd(b, i), s.Get(head(b, i)).End)
}

// ownLine tells whether a child in brackets begins its line.
func (s *splicer) ownLine(start int) bool {
	return len(bytes.TrimLeft(s.text[s.Start(start):start], " \t")) == 0
}

// lineIndent is the blanks that the line of the offset begins with.
func (s *splicer) lineIndent(offset int) []byte {
	line := s.text[s.Start(offset):]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}

// separator is what goes between children: a blank, or a new line where each child has one.
func (s *splicer) separator(start int) []byte {
	if s.ownLine(start) && s.Start(start) > 0 {
		return append([]byte(s.style.LineEnd), s.lineIndent(start)...)
	}
	return []byte{' '}
}

func (s *splicer) insertBeforeFlow(b *yaml.Node, i int, written [][]byte) {
	start := s.flowStart(b, i)
	separator := s.separator(start)
	var text []byte
	for _, unit := range written {
		text = append(append(append(text, unit...), ','), separator...)
	}
	s.insert(start, text)
}

func (s *splicer) appendFlow(b *yaml.Node, written [][]byte) {
	if children(b) == 0 {
		s.insert(s.Get(b).Content+1, bytes.Join(written, []byte(", ")))
		return
	}
	last := children(b) - 1
	end := s.flowEnd(b, last)
	separator := s.separator(s.flowStart(b, last))
	joined := append(bytes.Clone(separator), bytes.Join(written, append([]byte{','}, separator...))...)
	if comma := s.comma(end); comma >= 0 {
		s.insert(comma+1, append(joined, ','))
		return
	}
	s.insert(end, []byte{','})
	at := end
	if lineEnd := s.ContentEnd(end); s.Get(b).End > lineEnd && len(separator) > 1 {
		// The bracket closes on a later line: a comment behind the last child stays with it.
		at = lineEnd
	}
	s.insert(at, joined)
}

// comma is the offset of the comma behind a child that ends at the offset, or -1.
func (s *splicer) comma(end int) int {
	for at := end; at < len(s.text); at++ {
		switch s.text[at] {
		case ',':
			return at
		case ' ', '\t', '\r', '\n':
		case '#':
			at = s.ContentEnd(at)
		default:
			return -1
		}
	}
	return -1
}

// removeFlow removes children with one comma, and with their lines where they have their own.
func (s *splicer) removeFlow(b *yaml.Node, first, last int) {
	start, end := s.flowStart(b, first), s.flowEnd(b, last)
	comma := s.comma(end)
	ownLine := s.ownLine(start) && s.Start(start) > 0
	switch {
	case last+1 < children(b):
		next := s.flowStart(b, last+1)
		if ownLine && s.ownLine(next) && s.Start(comma) == s.Start(end) {
			s.remove(s.Start(start), s.Next(comma))
			return
		}
		s.remove(start, next)
	case first == 0:
		if comma >= 0 {
			end = comma + 1
		}
		s.remove(start, end)
	case comma >= 0:
		s.remove(s.comma(s.flowEnd(b, first-1))+1, comma+1)
	default:
		before := s.comma(s.flowEnd(b, first-1))
		s.remove(before, before+1)
		if lineBefore := s.ContentEnd(before); ownLine && lineBefore < start {
			s.remove(max(before+1, s.ContentEnd(s.Start(start)-1)), end)
			return
		}
		s.remove(before+1, end)
	}
}

// flowStyle is how the collection in brackets, and so what is put into it, is written.
func (s *splicer) flowStyle(b *yaml.Node) emit.Style {
	style := s.style
	e := s.Get(b)
	text := s.text[e.Content:min(e.End, len(s.text))]
	style.Flow.JSON = usesQuotedKeys(b)
	style.Flow.Padded = bytes.HasPrefix(text, []byte("{ ")) || bytes.HasPrefix(text, []byte("[{ "))
	style.Flow.Tight = style.Flow.JSON && !bytes.Contains(text, []byte(`": `)) && !bytes.Contains(text, []byte("\n"))
	return style
}

// usesQuotedKeys tells whether the keys in brackets are written as in JSON.
func usesQuotedKeys(n *yaml.Node) bool {
	if n.Kind == yaml.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Style&yaml.DoubleQuotedStyle != 0
	}
	for _, child := range n.Content {
		if usesQuotedKeys(child) {
			return true
		}
	}
	return false
}
