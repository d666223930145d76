package manifest

import (
	"bytes"
	"slices"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// ResultsPlace is where the results of a ResourceList go, and how they are written there.
type ResultsPlace struct {
	// Existing is the key "results" with its value, where the ResourceList has one, and Document what it holds: a mapping with
	// one key. New results go behind those. In braces, Existing has braces around it, because a pair is no document without.
	Existing []byte
	Document *node.Node
	// Before and After are the text around the new results, where there are no others.
	Before, After []byte
	// InBraces is set if the ResourceList is a mapping in braces. Otherwise results are entries of a list at Column.
	InBraces bool
	Column   int
	// LineBreak is "\n" or "\r\n".
	LineBreak string
	// Line is the number of the line of the key, from 1.
	Line int

	span
}

// ResultsPlace finds where the results of a ResourceList go: behind those that are there, or at its end.
func (s *Stream) ResultsPlace() (ResultsPlace, error) {
	p := ResultsPlace{LineBreak: lex.LineBreak(s.text), InBraces: s.list.closing != nil, Column: s.list.column}
	switch {
	case s.list.results != nil:
		p.span = *s.list.results
		err := s.existingResults(&p)
		return p, err
	case p.InBraces:
		s.placeInBraces(&p)
		return p, nil
	}
	at := s.list.end()
	p.span = span{at, at}
	p.Before = slices.Concat(bytes.Repeat([]byte{' '}, p.Column), []byte("results:"), []byte(p.LineBreak))
	if s.text[at-1] != '\n' {
		if read.EndsOpen(s.text) {
			return p, errorAt(lineAt(s.text, at), "the ResourceList ends inside of a block scalar without a newline, so that nothing can be "+
				"added to it; add a newline at its end")
		}
		p.Before = slices.Concat([]byte(p.LineBreak), p.Before)
	}
	return p, nil
}

// existingResults reads the results of functions that ran before.
func (s *Stream) existingResults(p *ResultsPlace) (err error) {
	p.Existing, p.Line = s.text[p.start:p.end], lineAt(s.text, p.start)
	if p.InBraces {
		p.Existing = slices.Concat([]byte{'{'}, p.Existing, []byte{'}'})
	}
	if p.Document, err = parseOne(p.Existing, p.Line); err != nil {
		return err
	}
	if value := p.Document.Content[0].Content[1]; !node.IsNull(value) && value.Kind != node.SequenceNode {
		return errorAt(p.Line, "the results of the ResourceList are %s; expected a list", describe(value))
	}
	return nil
}

// placeInBraces puts the key before the closing brace. A comment on the line of the last value stays there.
func (s *Stream) placeInBraces(p *ResultsPlace) {
	text := s.text[:s.list.closing.end]
	start := s.list.closing.start
	at := start
	if next := lex.SkipSpace(text, start); text[next] == ',' {
		at, start = next+1, next+1
	} else {
		p.Before = []byte{','}
	}
	separator := []byte{' '}
	if bytes.IndexByte(text[at:], '\n') >= 0 {
		separator = []byte(p.LineBreak + "  ")
		if lex.RestIsBlank(text, at) {
			at = lex.LineEnd(text, at)
			p.Before = append(p.Before, text[start:at]...)
		}
	}
	p.span = span{start, at}
	p.Before = slices.Concat(p.Before, separator, []byte(`"results": [`))
	p.After = []byte{']'}
}
