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
	if s.list.results != nil {
		return s.moreResults(*s.list.results, results, style)
	}
	if s.list.braces != nil {
		return s.resultsInBraces(results, style), nil
	}
	text := style.Pair(nil, node.String("results"), results, 0)
	end := s.list.end
	if end > 0 && s.text[end-1] != '\n' {
		text = append([]byte(style.LineEnd), text...)
	} else {
		text = append(text, style.LineEnd...)
	}
	return replacement{span{end, end}, text}, nil
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
	return replacement{span{at, at}, style.FlowPair(text, node.String("results"), results, 2)}
}

// moreResults puts results behind those of a function that ran before.
func (s *Stream) moreResults(at span, results *yaml.Node, style emit.Style) (replacement, error) {
	text := s.text[at.start:at.end]
	line := s.lineOf(at.start)
	tree, err := parseOne(text, line)
	if err != nil {
		return replacement{}, err
	}
	extents, err := extent.Of(text, tree)
	if err != nil {
		return replacement{}, fmt.Errorf("line %d: the results cannot be added to: %w", line, err)
	}
	value := tree.Content[0].Content[1]
	e := extents.Get(value)
	switch {
	case node.IsNull(value) || value.Kind == yaml.SequenceNode && len(value.Content) == 0:
		style.Flow.JSON = s.list.braces != nil
		text := style.Value(nil, results, 0)
		if s.list.braces != nil {
			text = style.FlowValue([]byte(" "), results, 0)
		}
		return replacement{span{at.start + e.Lead + 1, at.end}, text}, nil
	case value.Kind != yaml.SequenceNode:
		return replacement{}, fmt.Errorf("line %d: the results of the ResourceList are %s; expected a list", line, describe(value))
	case value.Style&yaml.FlowStyle != 0:
		last := at.start + extents.Get(value.Content[len(value.Content)-1]).End
		var more []byte
		for _, result := range results.Content {
			more = style.FlowValue(append(more, ", "...), result, 0)
		}
		return replacement{span{last, last}, more}, nil
	}
	column := extents.Column(e.Content)
	var more []byte
	for _, result := range results.Content {
		more = append(more, style.LineEnd...)
		more = append(more, bytes.Repeat([]byte{' '}, column)...)
		more = style.Entry(more, result, column)
	}
	end := at.end
	if end > 0 && s.text[end-1] == '\n' {
		end--
		if end > 0 && s.text[end-1] == '\r' {
			end--
		}
	}
	return replacement{span{end, end}, more}, nil
}

// lineEndOf is the line end that the text uses.
func lineEndOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
