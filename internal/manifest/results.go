package manifest

import (
	"bytes"
	"runtime"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
)

// resultsReplacement is the text that puts results into the ResourceList: behind those that
// are there, or as a new key at its end.
func (s *Stream) resultsReplacement(results Results) (replacement, error) {
	style := emit.Style{LineEnd: emit.LineEndOf(s.text), Indents: emit.Indents{Indent: 2}, DashWidth: 2}
	style.Flow.JSON = true
	switch {
	case s.list.results != nil:
		return s.moreResults(*s.list.results, results)
	case s.list.closing != nil:
		return s.resultsInBraces(results, style), nil
	}
	at := s.list.end
	if at == 0 || s.text[at-1] != '\n' {
		at = s.aboveLastKey()
	}
	column := s.list.column
	text := append(bytes.Repeat([]byte{' '}, column), "results:"...)
	return replacement{span{at, at}, blockResults(append(text, style.LineEnd...), results, column, style)}, nil
}

// aboveLastKey is the line of the last key or of the comments right above it. That is where a
// key goes if the last line is not ended: a line end there may be part of what an item says.
func (s *Stream) aboveLastKey() int {
	at := s.list.lead.end
	for at > s.list.lead.start {
		above := 1 + bytes.LastIndexByte(s.text[s.list.lead.start:at-1], '\n') + s.list.lead.start
		indent := bytes.TrimLeft(s.text[above:at], " ")
		if indent[0] != '#' || at-above-len(indent) > s.list.column {
			break
		}
		at = above
	}
	return at
}

// resultsInBraces adds the key before the closing brace. A comment on the line of the last
// value stays with that.
func (s *Stream) resultsInBraces(results Results, style emit.Style) replacement {
	end := s.list.closing.start
	scan := scanner{text: s.text, end: s.list.closing.end}
	at := end
	var text []byte
	if next := scan.skipSpace(end); s.text[next] == ',' {
		at, end = next+1, next+1
	} else {
		text = append(text, ',')
	}
	lines := bytes.IndexByte(s.text[at:scan.end], '\n') >= 0
	if lines && scan.restIsBlank(at) {
		at = len(bytes.TrimRight(s.text[:scan.lineEnd(at)], "\r\n"))
		text = append(text, s.text[end:at]...)
	}
	if lines {
		text = append(append(text, style.LineEnd...), "  "...)
	} else {
		text = append(text, ' ')
	}
	text = append(text, `"results": [`...)
	return replacement{span{end, at}, append(flowResults(text, results, style), ']')}
}

// moreResults puts results behind those of a function that ran before, or in the place of
// an empty value.
func (s *Stream) moreResults(at span, results Results) (replacement, error) {
	text, line := s.text[at.start:at.end], s.lineOf(at.start)
	if s.list.closing != nil { // a pair is a document only in braces
		text = slices.Concat([]byte{'{'}, text, []byte{'}'})
	}
	before, err := parseOne(text, line)
	if err != nil {
		return replacement{}, err
	}
	after := node.Clone(before)
	pair := node.OwnEntry(after, 0)
	if value := pair.Content[1]; node.IsNull(value) {
		pair.Content[1] = node.Sequence()
	} else if value.Kind != yaml.SequenceNode {
		return replacement{}, errorAt(line, "the results of the ResourceList are %s; expected a list", describe(value))
	}
	list := node.OwnEntry(pair, 1)
	for i := range results.Count {
		list.Content = append(list.Content, results.At(i))
	}
	spliced, err := splice.Splice(text, before, after)
	if err != nil {
		spliced, err = splice.Rewrite(text, after)
	}
	if err != nil {
		return replacement{}, errorAt(line, "the results cannot be added to: %w", err)
	}
	if s.list.closing != nil {
		if spliced[0] != '{' || spliced[len(spliced)-1] != '}' {
			return replacement{}, errorAt(line, "the results cannot be added to; remove what is written there")
		}
		spliced = spliced[1 : len(spliced)-1]
	}
	return replacement{at, spliced}, nil
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
