package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/parallel"
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

// newResults returns findings as the first results of a ResourceList, in pieces. It uses all cores, because thousands of results
// take much of the time of a run.
func newResults(place manifest.ResultsPlace, findings []finding.Finding) [][]byte {
	const size = 100 // of a piece
	pieces := make([][]byte, (len(findings)+size-1)/size)
	parallel.Do(context.Background(), len(pieces), func(i int) {
		start, end := i*size, min((i+1)*size, len(findings))
		results := newResultText(place, end-start)
		for at := start; at < end; at++ {
			results.add(&findings[at], at == 0)
		}
		pieces[i] = results.text
	})
	return slices.Concat([][]byte{place.Before}, pieces, [][]byte{place.After})
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
