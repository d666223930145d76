package extent

import "go.yaml.in/yaml/v3"

// flowCollection finds the children of a collection in brackets, and its closing bracket.
// A pair without braces, as in "[a: b]", ends with its value.
func (f *finder) flowCollection(n *yaml.Node, content int) error {
	bracketed := content < len(f.text) && (f.text[content] == '{' || f.text[content] == '[')
	if bracketed {
		f.at = content + 1
	}
	for i, child := range n.Content {
		colon := -1
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			if at := f.skipSpace(f.at); at < len(f.text) && f.text[at] == ':' {
				colon, f.at = at, at+1
			}
		}
		if err := f.node(child, -1, true); err != nil {
			return err
		}
		f.lead(child, colon)
	}
	if !bracketed {
		return nil
	}
	closing := f.skipSpace(f.at)
	if closing < len(f.text) && f.text[closing] == ',' {
		closing = f.skipSpace(closing + 1)
	}
	if closing >= len(f.text) || f.text[closing] != ']' && f.text[closing] != '}' {
		return f.odd(n)
	}
	f.at = closing + 1
	return nil
}
