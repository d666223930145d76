package manifest

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
	"pillion.dev/pillion/internal/extent"
	"pillion.dev/pillion/internal/node"
)

// resultsReplacement is the text that puts results into the ResourceList: behind those that
// are there, or as a new key at its end.
func (s *Stream) resultsReplacement(results *yaml.Node) (replacement, error) {
	style := emit.Style{LineEnd: lineEndOf(s.text), Indent: 2, DashWidth: 2}
	style.Flow.JSON = true
	style.NoBlockScalars = !bytes.HasSuffix(s.text, []byte{'\n'}) // they would lose their last line end
	if s.list.results != nil {
		return s.moreResults(*s.list.results, results, style)
	}
	if s.list.braces != nil {
		return s.resultsInBraces(results, style), nil
	}
	end := s.list.end
	text := append(style.Pair(nil, node.String("results"), results, 0), style.LineEnd...)
	return replacement{span{end, end}, s.openEnded(end, text, style)}, nil
}

// resultsInBraces adds the key before the closing brace.
func (s *Stream) resultsInBraces(results *yaml.Node, style emit.Style) replacement {
	inside := s.text[s.list.braces.start+1 : s.list.braces.end-1]
	content := bytes.TrimRight(inside, " \t\r\n")
	at := s.list.braces.start + 1 + len(content)
	text := []byte{','}
	if len(content) == 0 || content[len(content)-1] == ',' {
		text = nil
	}
	if bytes.IndexByte(inside, '\n') >= 0 {
		text = append(text, style.LineEnd...)
		text = append(text, "  "...)
	} else if text != nil {
		text = append(text, ' ')
	}
	return replacement{span{at, at}, style.FlowPair(text, node.String("results"), results, "")}
}

// moreResults puts results behind those of a function that ran before, or in the place of
// an empty value.
func (s *Stream) moreResults(at span, results *yaml.Node, style emit.Style) (replacement, error) {
	text, line := s.text[at.start:at.end], s.lineOf(at.start)
	tree, err := parseOne(text, line)
	if err != nil {
		return replacement{}, err
	}
	extents, err := extent.Of(text, tree, nil)
	if err != nil {
		return replacement{}, fmt.Errorf("line %d: the results cannot be added to: %w", line, err)
	}
	value := tree.Content[0].Content[1]
	e := extents.Get(value)
	end := at.start + e.End
	switch {
	case value.Kind != yaml.SequenceNode && !node.IsNull(value):
		return replacement{}, fmt.Errorf("line %d: the results of the ResourceList are %s; expected a list", line, describe(value))
	case len(value.Content) == 0 && s.list.braces != nil:
		return replacement{span{at.start + e.Lead + 1, end}, style.FlowValue([]byte{' '}, results, "")}, nil
	case len(value.Content) == 0:
		return replacement{span{at.start + e.Lead + 1, end}, style.Value(nil, results, 0)}, nil
	case value.Style&yaml.FlowStyle != 0:
		last := at.start + extents.Get(value.Content[len(value.Content)-1]).End
		var more []byte
		for _, result := range results.Content {
			more = style.FlowValue(append(more, ", "...), result, "")
		}
		return replacement{span{last, last}, more}, nil
	}
	return s.moreLines(end, results, extents.Column(e.Content), style), nil
}

// moreLines adds entries to a block sequence that ends at the offset.
func (s *Stream) moreLines(end int, results *yaml.Node, column int, style emit.Style) replacement {
	if s.text[end-1] != '\n' {
		end = lineEnd(s.text, end)
	}
	var more []byte
	for _, result := range results.Content {
		more = append(more, bytes.Repeat([]byte{' '}, column)...)
		more = append(style.Entry(more, result, column), style.LineEnd...)
	}
	return replacement{span{end, end}, s.openEnded(end, more, style)}
}

// openEnded moves the line end to the front where the lines are added behind a last line
// that is not ended.
func (s *Stream) openEnded(end int, lines []byte, style emit.Style) []byte {
	if end == 0 || s.text[end-1] == '\n' {
		return lines
	}
	return append([]byte(style.LineEnd), bytes.TrimSuffix(lines, []byte(style.LineEnd))...)
}

// lineEndOf is the line end that the text uses.
func lineEndOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
