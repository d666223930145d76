package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

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
	if place.Existing == nil {
		return stream.WriteResults(w, edits, place, newResults(place, findings)...)
	}
	results, err := moreResults(place, findings)
	if err != nil {
		return &manifest.LineError{Line: place.Line, Err: err}
	}
	return stream.WriteResults(w, edits, place, results)
}

// newResults returns findings as the first results of a ResourceList, in pieces.
func newResults(place manifest.ResultsPlace, findings []finding.Finding) [][]byte {
	style := emit.Style{LineEnd: place.LineBreak, Indents: emit.Indents{Indent: 2}, DashWidth: 2, Flow: emit.FlowStyle{JSON: true}}
	pieces := render(findings, func(text []byte, result *yaml.Node, isFirst bool) []byte {
		switch {
		case !place.InBraces:
			text = emit.Spaces(text, place.Column)
			return append(style.Entry(text, result, place.Column), place.LineBreak...)
		case !isFirst:
			text = append(text, ", "...)
		}
		return style.FlowValue(text, result, "")
	})
	return slices.Concat([][]byte{place.Before}, pieces, [][]byte{place.After})
}

// render writes all findings on all cores, because thousands of them take much of the time of a run.
func render(findings []finding.Finding, one func(text []byte, result *yaml.Node, isFirst bool) []byte) [][]byte {
	const size = 100 // of a piece, so that growing it copies little
	pieces := make([][]byte, (len(findings)+size-1)/size)
	inParallel(context.Background(), len(pieces), func(i int) {
		var results outcome.Results
		for at := i * size; at < min((i+1)*size, len(findings)); at++ {
			pieces[i] = one(pieces[i], results.Of(findings[at]), at == 0)
		}
	})
	return pieces
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
