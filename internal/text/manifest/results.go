package manifest

import (
	"bytes"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// ResultsPosition is where the results of a ResourceList go, and how they are written there.
type ResultsPosition struct {
	// Before and After are the text around the new results.
	Before, After string
	// InBrackets is set if they go into a list in brackets. Otherwise they are entries of a list with its dashes at
	// Column.
	InBrackets bool
	Column     int
	// LineBreak is "\n" or "\r\n".
	LineBreak string

	span
}

// ResultsPosition returns where the results of a ResourceList go.
func (s *Stream) ResultsPosition() (ResultsPosition, error) { return s.list.results, s.list.noResults }

// findResults finds where results go: behind those that are there, or into a new key at the end of the list. In
// braces, and in a list without a newline at its end, which may be inside of a block scalar, a new key goes in front of
// the others.
func (o *outline) findResults(root *node.Node) (p ResultsPosition, err error) {
	p.LineBreak = lex.LineBreak(o.Text)
	if i := node.Index(root, "results"); i >= 0 {
		err := o.findBehind(&p, root.Content[i+1])
		return p, err
	}
	first := int(root.Content[0].Start)
	if root.Style&node.FlowStyle != 0 {
		p.InBrackets, p.Before, p.After, p.span = true, `"results": [`, "], ", o.span(first, first)
		return p, nil
	}
	at := o.Start(first)
	p.Column = lex.SkipSpaces(o.Text, at) - at // there may be a question mark before the key
	p.Before = strings.Repeat(" ", p.Column) + "results:" + p.LineBreak
	if bytes.HasSuffix(o.Text, []byte{'\n'}) {
		at = len(o.Text)
	}
	p.span = o.span(at, at)
	return p, nil
}

// findBehind finds the position behind the results of functions that ran before.
func (o *outline) findBehind(p *ResultsPosition, results *node.Node) error {
	start, end := int(results.Start), int(results.End)
	switch last := len(results.Content) - 1; {
	case node.IsNull(results) || results.Kind == node.SequenceNode && last < 0:
		p.InBrackets, p.Before, p.After, p.span = true, " [", "]", o.span(start, end)
		before := bytes.TrimRight(o.Text[:start], " \r\n")
		if len(before) < start {
			p.Before = "["
		}
		if before[len(before)-1] != ':' || bytes.IndexByte(o.Text[start:end], '#') >= 0 {
			return errorAt(o.lineOf(results), "nothing can be added to the results of the ResourceList as they are written; remove the key")
		}
	case results.Kind != node.SequenceNode:
		return errorAt(o.lineOf(results), "the results of the ResourceList are %s; expected a list", describe(results))
	case results.Style&node.FlowStyle != 0:
		end = int(results.Content[last].End)
		p.InBrackets, p.Before, p.span = true, ", ", o.span(end, end)
	default:
		dash := o.dash(results, 0)
		p.Column = dash - o.Start(dash)
		end = o.Behind(end)
		p.span = o.span(end, end)
		if o.Text[end-1] != '\n' {
			return errorAt(o.lineOf(results), "nothing can be added to the results of the ResourceList, because no newline follows them; add one")
		}
	}
	return nil
}
