package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
)

// writeResourceList writes a ResourceList with its edits, and with findings as its results.
func writeResourceList(w io.Writer, stream *manifest.Stream, edits []edit.Edit, findings []finding.Finding) error {
	if len(findings) == 0 {
		return stream.Write(w, edits)
	}
	place, err := stream.ResultsPlace()
	if err != nil {
		return err
	}
	results := newResults(place, findings)
	if place.Existing != nil {
		if results, err = moreResults(place, findings); err != nil {
			return &manifest.LineError{Line: place.Line, Err: err}
		}
	}
	return stream.WriteResults(w, edits, place, results)
}

// newResults writes findings as the first results of a ResourceList.
func newResults(place manifest.ResultsPlace, findings []finding.Finding) []byte {
	style := emit.Style{LineEnd: place.LineBreak, Indents: emit.Indents{Indent: 2}, DashWidth: 2, Flow: emit.FlowStyle{JSON: true}}
	entries := render(findings, func(text []byte, result *yaml.Node, isFirst bool) []byte {
		switch {
		case !place.InBraces:
			text = emit.Spaces(text, place.Column)
			return append(style.Entry(text, result, place.Column), place.LineBreak...)
		case !isFirst:
			text = append(text, ", "...)
		}
		return style.FlowValue(text, result, "")
	})
	return bytes.Join([][]byte{place.Before, entries, place.After}, nil)
}

// render writes all findings on all cores, because thousands of them take much of the time of a run.
func render(findings []finding.Finding, one func(text []byte, result *yaml.Node, isFirst bool) []byte) []byte {
	count := len(findings)
	pieces := make([][]byte, min(runtime.GOMAXPROCS(0), count))
	inParallel(context.Background(), len(pieces), func(i int) {
		for at := i * count / len(pieces); at < (i+1)*count/len(pieces); at++ {
			pieces[i] = one(pieces[i], outcome.Result(findings[at]), at == 0)
		}
	})
	return bytes.Join(pieces, nil)
}

// moreResults adds findings to the results of functions that ran before, or replaces an empty value.
func moreResults(place manifest.ResultsPlace, findings []finding.Finding) ([]byte, error) {
	after := node.Clone(place.Document)
	pair := node.OwnEntry(after, 0)
	if node.IsNull(pair.Content[1]) {
		pair.Content[1] = node.Sequence()
	}
	list := node.OwnEntry(pair, 1)
	for _, f := range findings {
		list.Content = append(list.Content, outcome.Result(f))
	}
	text, err := splice.Splice(place.Existing, place.Document, after)
	if err != nil {
		text, err = splice.Rewrite(place.Existing, after)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the results cannot be added to: %w", err)
	case !place.InBraces:
		return text, nil
	case text[0] != '{' || text[len(text)-1] != '}':
		return nil, errors.New("the results cannot be added to; remove what is written there")
	}
	return text[1 : len(text)-1], nil
}
