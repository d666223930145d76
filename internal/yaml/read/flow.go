package read

import (
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// flowValue reads the collection with its opening bracket at the cursor, and ends behind its closing one. Parent is the column of the
// block collection around it.
func (r *reader) flowValue(parent int) *node.Node {
	r.tabsFrom = parent + 1
	return r.flowCollection()
}

func (r *reader) flowCollection() *node.Node {
	if !r.deeper() {
		return r.giveUp()
	}
	start, mark := r.at, len(r.pending)
	isMapping := r.text[start] == '{'
	r.at++
	if !r.flowEntries(start, isMapping) {
		return nil
	}
	r.depth--
	if isMapping {
		return r.mapping(node.FlowStyle, start, r.at, mark)
	}
	return r.sequence(node.FlowStyle, start, r.at, mark)
}

// flowEntries reads the entries of the brackets that begin at an offset, and ends behind the closing one.
func (r *reader) flowEntries(start int, isMapping bool) bool {
	closing := closing(r.text[start])
	for {
		if !r.skipFlowSpace(start) {
			return false
		}
		if r.peek(r.at) == closing {
			break
		}
		read := isMapping && r.flowPair(start) || !isMapping && r.flowEntry(start)
		if !read || !r.skipFlowSpace(start) {
			return false
		}
		if r.peek(r.at) == closing {
			break
		}
		if r.peek(r.at) != ',' {
			r.commaProblem(start)
			return false
		}
		r.at++
	}
	r.at++
	return true
}

// flowPair reads a key and its value in braces. The library also takes a key without a colon or a value, and a value without a key.
func (r *reader) flowPair(start int) bool {
	begin := r.at
	if r.peek(r.at) == '?' { // the library needs no blank behind it in brackets
		r.unsure = true
		r.at++
		if !r.skipFlowSpace(start) {
			return false
		}
	}
	if !r.flowKey(start) {
		return false
	}
	end := r.at
	if r.at = skipSpaces(r.text, r.at); r.peek(r.at) != ':' {
		r.unsure = true
		if !r.skipFlowSpace(start) {
			return false
		}
	}
	r.unsure = r.unsure || begin < r.lineStart || r.at-begin > mostKeyBytes
	return r.flowPairValue(start, end)
}

// flowKey reads and adds a key in brackets, which may be missing before its colon.
func (r *reader) flowKey(start int) bool {
	key := r.null(r.at)
	if r.peek(r.at) == ':' && (lex.IsSpaceAt(r.text, r.at+1) || lex.IsFlowIndicator(r.text[r.at+1])) {
		r.unsure = true
	} else {
		key = r.flowNode(start)
	}
	r.add(key)
	return key != nil
}

// flowPairValue reads and adds what is behind a key that ends at an offset: a colon and a value, a colon, or nothing.
func (r *reader) flowPairValue(start, keyEnd int) bool {
	if r.peek(r.at) != ':' {
		r.unsure = true
		r.add(r.null(keyEnd))
		return true
	}
	r.at++
	empty, line := r.at, r.lineStart
	if !r.skipFlowSpace(start) {
		return false
	}
	if c := r.peek(r.at); c == ',' || c == ']' || c == '}' {
		r.unsure = true
		if r.lineStart == line { // where a value would be
			empty = r.at
		}
		r.add(r.null(empty))
		return true
	}
	value := r.flowNode(start)
	r.add(value)
	return value != nil
}

// flowEntry reads an entry of a list in brackets. It may be a pair without braces.
func (r *reader) flowEntry(start int) bool {
	begin, mark := r.at, len(r.pending)
	if r.peek(r.at) == '?' || r.atIndicator(':') {
		if !r.flowPair(start) {
			return false
		}
	} else {
		n := r.flowNode(start)
		r.add(n)
		if n == nil || !r.skipFlowSpace(start) {
			return false
		}
		if r.peek(r.at) != ':' {
			return true
		}
		if !r.flowPairValue(start, int(n.End)) {
			return false
		}
	}
	r.unsure = true
	r.add(r.mapping(node.FlowStyle, begin, r.lastEnd(), mark))
	return true
}

// flowNode reads a value in the brackets that begin at an offset.
func (r *reader) flowNode(start int) *node.Node {
	switch c := r.peek(r.at); c {
	case '[', '{':
		return r.flowCollection()
	case '"', '\'':
		return r.quoted()
	case '&', '!':
		return r.flowProperties(start)
	case '*':
		return r.flowAlias()
	case 0:
		return r.bracketProblem(start)
	}
	return r.flowPlain(start)
}

// flowProperties reads a node with an anchor or a tag in brackets.
func (r *reader) flowProperties(start int) *node.Node {
	r.unsure = true
	begin, name := r.at, ""
	for c := r.peek(r.at); c == '&' || c == '!'; c = r.peek(r.at) {
		if c == '&' {
			end := lex.NameEnd(r.text, r.at+1)
			name, r.at = r.text[r.at+1:end], end
		} else {
			r.at = lex.WordEnd(r.text, r.at, true)
		}
		if !r.skipFlowSpace(start) {
			return nil
		}
	}
	r.expect(name)
	if c := r.peek(r.at); c == ',' || c == ']' || c == '}' || r.atIndicator(':') {
		return r.anchored(r.null(lex.TrimBlanks(r.text, begin, r.at)), begin, name)
	}
	return r.anchored(r.flowNode(start), begin, name)
}

// flowAlias reads an alias in brackets.
func (r *reader) flowAlias() *node.Node {
	start := r.at
	end := lex.NameEnd(r.text, start+1)
	if end == start+1 || !lex.IsSpaceAt(r.text, end) && !lex.IsFlowIndicator(r.text[end]) {
		return r.fail(start, badAlias)
	}
	r.at = end
	return r.aliasTo(r.text[start+1:end], start)
}

// endsFlowPlain holds the bytes that may end a plain scalar in brackets, and control characters.
var endsFlowPlain = func() [256]bool {
	set := lex.SetOf(":#,?[]{}\x7f")
	for c := range byte(' ') {
		set[c] = true
	}
	return set
}()

// flowPlain reads a plain scalar in brackets. One that goes on below is read by the library.
func (r *reader) flowPlain(start int) *node.Node {
	begin := r.at
	if c := r.text[begin]; !beginsPlain[c] {
		if c != '-' || lex.IsSpaceAt(r.text, begin+1) {
			return r.flowBeginProblem(begin, start)
		}
		next := r.text[begin+1]
		r.unsure = r.unsure || lex.IsFlowIndicator(next) || next == '?' || next == ':' || next == '#'
	}
	for {
		end := r.flowPlainEnd(r.at)
		if end < 0 {
			return nil
		}
		r.at = end
		if !r.flowContinues(start) {
			break
		}
	}
	return r.leaf(begin, r.at)
}

// flowContinues goes to the next line of a plain scalar in brackets. It returns false, and leaves the cursor, if the scalar ends on
// this line.
func (r *reader) flowContinues(start int) bool {
	behind, line, unsure := r.at, r.lineStart, r.unsure
	r.skipBlanks()
	if r.atBreak() && r.skipFlowSpace(start) {
		if c := r.peek(r.at); r.lineStart > line && c != 0 && c != ':' && c != '?' && !lex.IsFlowIndicator(c) {
			r.unsure = true
			return true
		}
	}
	r.at, r.lineStart, r.unsure = behind, line, unsure
	return false
}

// flowPlainEnd returns the end of the part of a plain scalar in brackets that is on the line, or -1 at a problem.
func (r *reader) flowPlainEnd(start int) int {
	text := r.text
	for at := start; ; at++ {
		for at < len(text) && !endsFlowPlain[text[at]] {
			at++
		}
		if at == len(text) {
			return r.trimmed(start, at)
		}
		switch c := text[at]; {
		case c == ':':
			if lex.IsSpaceAt(text, at+1) {
				return r.trimmed(start, at)
			}
		case c == '#':
			if at > start && lex.IsBlank(text[at-1]) {
				return r.trimmed(start, at)
			}
		case c == '\t':
			r.unsure = true
		case c < ' ' && !lex.IsBreak(c):
			r.giveUp()
			return -1
		case c != 0x7f:
			return r.trimmed(start, at)
		}
	}
}

// skipFlowSpace goes to the next token in the brackets that begin at an offset, over blanks, line breaks and comments.
func (r *reader) skipFlowSpace(start int) bool {
	for {
		switch r.peek(r.at) {
		case ' ':
			r.at = skipSpaces(r.text, r.at)
		case '\t':
			r.unsure = r.unsure || r.at-r.lineStart < r.tabsFrom
			r.at++
		case '\n', '\r':
			r.newLine()
		case '#':
			if !r.skipComment() {
				return false
			}
		case '-', '.', '%':
			r.unsure = r.unsure || r.at == r.lineStart
			if r.atMarker() {
				r.bracketProblem(start)
				return false
			}
			return true
		default:
			return true
		}
	}
}
