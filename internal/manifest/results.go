package manifest

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
	"pillion.dev/pillion/internal/extent"
	"pillion.dev/pillion/internal/node"
)

// resultsReplacement is the text that puts results into the ResourceList: behind those that
// are there, or as a new key at its end.
func (s *Stream) resultsReplacement(results Results) (replacement, error) {
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
	text := append([]byte("results:"), style.LineEnd...)
	return replacement{span{end, end}, s.openEnded(end, blockResults(text, results, 0, style), style)}, nil
}

// resultsInBraces adds the key before the closing brace.
func (s *Stream) resultsInBraces(results Results, style emit.Style) replacement {
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
	text = append(text, `"results": [`...)
	return replacement{span{at, at}, append(flowResults(text, results, style), ']')}
}

// moreResults puts results behind those of a function that ran before, or in the place of
// an empty value.
func (s *Stream) moreResults(at span, results Results, style emit.Style) (replacement, error) {
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
		return replacement{span{at.start + e.Lead + 1, end}, append(flowResults([]byte(" ["), results, style), ']')}, nil
	case len(value.Content) == 0:
		text := blockResults([]byte(style.LineEnd), results, 0, style)
		return replacement{span{at.start + e.Lead + 1, end}, bytes.TrimSuffix(text, []byte(style.LineEnd))}, nil
	case value.Style&yaml.FlowStyle != 0:
		last := at.start + extents.Get(value.Content[len(value.Content)-1]).End
		return replacement{span{last, last}, flowResults([]byte(", "), results, style)}, nil
	}
	return s.moreLines(end, results, extents.Column(e.Content), style), nil
}

// moreLines adds entries to a block sequence that ends at the offset.
func (s *Stream) moreLines(end int, results Results, column int, style emit.Style) replacement {
	if s.text[end-1] != '\n' {
		end = lineEnd(s.text, end)
	}
	more := blockResults(nil, results, column, style)
	return replacement{span{end, end}, s.openEnded(end, more, style)}
}

// Results are the results of a function, made one by one, so that not all of them are nodes
// at once. Making one must be safe beside another.
type Results struct {
	Count int
	At    func(int) *yaml.Node
}

// render writes all results on all cores: with thousands of them, that is a good part of a run.
func (r Results) render(one func(text []byte, result *yaml.Node, first bool) []byte) []byte {
	pieces := make([][]byte, min(runtime.GOMAXPROCS(0), r.Count))
	var writers sync.WaitGroup
	for i := range pieces {
		writers.Go(func() {
			for at := i * r.Count / len(pieces); at < (i+1)*r.Count/len(pieces); at++ {
				pieces[i] = one(pieces[i], r.At(at), at == 0)
			}
		})
	}
	writers.Wait()
	return bytes.Join(pieces, nil)
}

// blockResults appends results as entries of a list at a column, each with its line end.
func blockResults(text []byte, results Results, column int, style emit.Style) []byte {
	indent := bytes.Repeat([]byte{' '}, column)
	return append(text, results.render(func(text []byte, result *yaml.Node, _ bool) []byte {
		return append(style.Entry(append(text, indent...), result, column), style.LineEnd...)
	})...)
}

// flowResults appends results as entries between brackets.
func flowResults(text []byte, results Results, style emit.Style) []byte {
	return append(text, results.render(func(text []byte, result *yaml.Node, first bool) []byte {
		if !first {
			text = append(text, ", "...)
		}
		return style.FlowValue(text, result, "")
	})...)
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
