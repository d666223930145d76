package extent

import "go.yaml.in/yaml/v3"

func (f *finder) scalarEnd(n *yaml.Node, at, indent int, flow bool) (int, error) {
	if at >= len(f.text) {
		return at, f.odd(n)
	}
	var end int
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = DoubleQuotedEnd(f.text, at)
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = SingleQuotedEnd(f.text, at)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		end = BlockScalarEnd(f.text, at, indent)
	default:
		end = f.plainEnd(at, indent, flow)
	}
	if end <= at {
		return at, f.odd(n)
	}
	return end, nil
}

// DoubleQuotedEnd is the offset behind the closing quote of the scalar at the offset, or -1.
func DoubleQuotedEnd(text []byte, at int) int {
	if text[at] != '"' {
		return -1
	}
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// SingleQuotedEnd is the offset behind the closing quote of the scalar at the offset, or -1.
func SingleQuotedEnd(text []byte, at int) int {
	if text[at] != '\'' {
		return -1
	}
	for i := at + 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '\'' {
			i++
			continue
		}
		return i + 1
	}
	return -1
}

// BlockScalarEnd is the start of the line behind the block scalar whose "|" or ">" stands
// at the offset, or -1. Indent is the column of the collection around it, -1 for none.
func BlockScalarEnd(text []byte, at, indent int) int {
	if text[at] != '|' && text[at] != '>' {
		return -1
	}
	keep, increment := false, 0
	i := at + 1
	for ; i < len(text) && (text[i] == '+' || text[i] == '-' || text[i] >= '1' && text[i] <= '9'); i++ {
		switch text[i] {
		case '+':
			keep = true
		case '-':
		default:
			increment = int(text[i] - '0')
		}
	}
	for i < len(text) && BreakAt(text, i) == 0 {
		i++
	}
	i += BreakAt(text, i)

	width := max(indent, 0) + increment
	if increment == 0 {
		width = max(leadingWidth(text, i), indent+1, 1)
	}
	end, blanksEnd := i, i
	for i < len(text) {
		column := 0
		for column < width && i < len(text) && text[i] == ' ' {
			i++
			column++
		}
		if size := BreakAt(text, i); size > 0 {
			i += size
			blanksEnd = i
			continue
		}
		if column < width || i >= len(text) {
			break
		}
		for i < len(text) && BreakAt(text, i) == 0 {
			i++
		}
		i += BreakAt(text, i)
		end, blanksEnd = i, i
	}
	if keep {
		return blanksEnd
	}
	return end
}

// leadingWidth is the widest indentation of the blank lines that a block scalar begins
// with and of its first line with content.
func leadingWidth(text []byte, i int) int {
	width := 0
	for {
		column := 0
		for i < len(text) && text[i] == ' ' {
			i++
			column++
		}
		width = max(width, column)
		size := BreakAt(text, i)
		if size == 0 {
			return width
		}
		i += size
	}
}

// plainEnd is where a plain scalar ends: behind its last character that is not blank.
func (f *finder) plainEnd(at, indent int, flow bool) int {
	end, i := at, at
	for i < len(f.text) {
		if f.text[i] == '#' && i > at && i > end || f.documentMarker(i) {
			return end
		}
		for i < len(f.text) && !f.blankOrBreak(i) {
			if f.endsPlain(i, flow) {
				return end
			}
			i++
			end = i
		}
		broken := false
		for i < len(f.text) && f.blankOrBreak(i) {
			size := BreakAt(f.text, i)
			broken = broken || size > 0
			i += max(size, 1)
		}
		if broken && !flow && f.Column(min(i, len(f.text))) <= indent {
			return end
		}
	}
	return end
}

func (f *finder) endsPlain(i int, flow bool) bool {
	switch f.text[i] {
	case ':':
		return i+1 >= len(f.text) || f.blankOrBreak(i+1)
	case ',', '?', '[', ']', '{', '}':
		return flow
	}
	return false
}

func (f *finder) documentMarker(i int) bool {
	if i+3 > len(f.text) || i > 0 && f.Start(i) != i {
		return false
	}
	mark := string(f.text[i : i+3])
	return (mark == "---" || mark == "...") && (i+3 == len(f.text) || f.blankOrBreak(i+3))
}

func (f *finder) blankOrBreak(i int) bool {
	return f.text[i] == ' ' || f.text[i] == '\t' || BreakAt(f.text, i) > 0
}

// properties is the offset behind the anchor and the tag that a node may begin with.
func (f *finder) properties(at int, flow bool) int {
	end := at
	for at < len(f.text) {
		switch f.text[at] {
		case '&':
			end = f.nameEnd(at + 1)
		case '!':
			end = f.tagEnd(at+1, flow)
		default:
			return end
		}
		at = f.skipSpace(end)
	}
	return end
}

// nameEnd is the offset behind the name of an anchor or an alias.
func (f *finder) nameEnd(at int) int {
	for at < len(f.text) && isNameByte(f.text[at]) {
		at++
	}
	return at
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func (f *finder) tagEnd(at int, flow bool) int {
	for at < len(f.text) && !f.blankOrBreak(at) {
		if c := f.text[at]; flow && (c == ',' || c == ']' || c == '}' || c == '[' || c == '{') {
			break
		}
		at++
	}
	return at
}

// skipSpace passes over blanks, line breaks and comments.
func (f *finder) skipSpace(at int) int {
	for at < len(f.text) {
		switch {
		case f.blankOrBreak(at):
			at += max(BreakAt(f.text, at), 1)
		case f.text[at] == '#': // the parser wants no blank before it behind quotes and brackets
			at = f.ContentEnd(at)
		default:
			return at
		}
	}
	return at
}

// skipBlanks passes over blanks on the line.
func (f *finder) skipBlanks(at int) int {
	for at < len(f.text) && (f.text[at] == ' ' || f.text[at] == '\t') {
		at++
	}
	return at
}
