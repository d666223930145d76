package emit

import "go.yaml.in/yaml/v3"

// FlowValue appends a node as it stands inside brackets. The column is where the lines
// around it begin, which matters where entries stand on lines of their own.
func (s Style) FlowValue(dst []byte, n *yaml.Node, column int) []byte {
	if n.Kind == yaml.ScalarNode {
		return s.scalar(dst, n, true)
	}
	if tag := explicitTag(n); tag != "" {
		dst = append(append(dst, tag...), ' ')
	}
	opening, closing, step := byte('['), byte(']'), 1
	if n.Kind == yaml.MappingNode {
		opening, closing, step = '{', '}', 2
	}
	dst = append(dst, opening)
	for i := 0; i+step <= len(n.Content); i += step {
		dst = s.flowGap(dst, i > 0, n.Kind, column+s.Indent)
		if n.Kind == yaml.MappingNode {
			dst = s.FlowPair(dst, n.Content[i], n.Content[i+1], column+s.Indent)
		} else {
			dst = s.FlowValue(dst, n.Content[i], column+s.Indent)
		}
	}
	if len(n.Content) > 0 {
		switch {
		case s.Flow.Lines:
			dst = s.newLine(dst, column)
		case s.Flow.Padded && n.Kind == yaml.MappingNode:
			dst = append(dst, ' ')
		}
	}
	return append(dst, closing)
}

// flowGap is what stands before an entry: a comma behind the one before it, a blank or a
// new line.
func (s Style) flowGap(dst []byte, behindAnother bool, kind yaml.Kind, column int) []byte {
	if behindAnother {
		dst = append(dst, ',')
	}
	switch {
	case s.Flow.Lines:
		return s.newLine(dst, column)
	case behindAnother && !s.Flow.Tight, !behindAnother && s.Flow.Padded && kind == yaml.MappingNode:
		return append(dst, ' ')
	}
	return dst
}

// FlowPair appends a key and its value as they stand inside braces.
func (s Style) FlowPair(dst []byte, key, value *yaml.Node, column int) []byte {
	dst = append(s.scalar(dst, key, true), ':')
	if !s.Flow.Tight || !s.Flow.JSON {
		dst = append(dst, ' ')
	}
	return s.FlowValue(dst, value, column)
}
