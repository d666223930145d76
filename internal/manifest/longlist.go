package manifest

import (
	"bytes"
	"context"

	"pillion.dev/pillion/internal/parallel"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// longBytes is how long a document is whose items are read one by one, because the nodes of all of them would take a lot of memory, and
// at the same time, because that takes most of the time of reading. Tests make it smaller.
var longBytes = 1 << 18

// longList reads a list item by item. It returns its mapping, with no nodes for the items, and the items. It is not ok for a document
// that is short or no list, and if the reader is not sure.
func (o *outline) longList(visit Visitor) (root *node.Node, members []*part, ok bool) {
	if len(o.text) < longBytes {
		return nil, nil, false
	}
	if start := lex.SkipSpaces(o.text, 0); o.byteAt(start) == '{' {
		return o.listInBraces(start)
	}
	return o.blockList(visit)
}

// blockList reads a list in block style: its head up to the line "items:", the items one by one, and the keys behind them.
func (o *outline) blockList(visit Visitor) (root *node.Node, members []*part, ok bool) {
	key := bytes.Index(o.text, []byte("\nitems:")) + 1
	if key == 0 && !bytes.HasPrefix(o.text, []byte("items:")) {
		return nil, nil, false
	}
	begin := lex.NextLine(o.text, key)
	first := lex.SkipSpace(o.text, begin)
	head, ok := new(read.Arena).Sure(o.text[:first], 0)
	if !ok || !lex.RestIsBlank(o.text, key+len("items:")) || !o.isDash(first) {
		return nil, nil, false
	}
	root = head.Content[0]
	last := len(root.Content) - 1
	if root.Kind != node.MappingNode || root.Style&node.FlowStyle != 0 || root.Content[last-1].Value != "items" {
		return nil, nil, false
	}
	list, members := o.entriesAtOnce(first, visit)
	if !list.ok || list.nextColumn > 0 {
		return nil, nil, false
	}
	root.Content[last] = &node.Node{Kind: node.SequenceNode, Tag: node.SeqTag, Start: int32(first), End: int32(list.lastEnd)}
	if list.nextColumn == 0 {
		tail, ok := new(read.Arena).Sure(o.text, list.next)
		if !ok || tail.Content[0].Kind != node.MappingNode || tail.Content[0].Style&node.FlowStyle != 0 {
			return nil, nil, false
		}
		root.Content = append(root.Content, tail.Content[0].Content...)
	}
	return root, members, true
}

// ConfigAhead returns what is probably the functionConfig of a long ResourceList that is not read yet, or nil. It is right if the Config of
// the stream has the same text.
func ConfigAhead(text []byte) *Item {
	const most = 1 << 18 // of what is read for it
	at := bytes.LastIndex(text, []byte("\nfunctionConfig:")) + 1
	if len(text) < longBytes || at == 0 || len(text)-at > most {
		return nil
	}
	tail, ok := new(read.Arena).Sure(text, at)
	if !ok || tail.Content[0].Kind != node.MappingNode { // functionConfig:x is a word
		return nil
	}
	o := newOutline(text, span{0, len(text)})
	var list document
	if o.resourceList(&list, tail.Content[0]) != nil || list.config == nil || list.config.found != "" {
		return nil
	}
	list.config.Line, list.config.Column = 1, 1 // the line matters for errors, and is counted when the stream is read
	return &list.config.Item
}

// mostKeyBytes is the longest key in braces that is surely read as one.
const mostKeyBytes = 1000

// usualItemBytes is a little less than the size of most items.
const usualItemBytes = 1000

// isDash reports whether the dash of an entry is at the offset.
func (o *outline) isDash(at int) bool { return o.byteAt(at) == '-' && lex.IsSpaceAt(o.text, at+1) }

// byteAt returns the byte at an offset, or 0 at the end.
func (o *outline) byteAt(at int) byte {
	if at < len(o.text) {
		return o.text[at]
	}
	return 0
}

// stretchBytes is about how much of a list is read at once. Tests make it smaller.
var stretchBytes = 1 << 17

// longestMarker is how many bytes show whether something is a dash or a document marker.
const longestMarker = len("--- ")

// stretch is a range of entries of a list.
type stretch struct {
	start, end int // where dashes are
	line       int // the number of the first line in the stream
	members    []part
	lastEnd    int // of the last entry
	nextLine   int // the number of the line behind the entries
	next       int // the offset of the first token behind them
	nextColumn int // its column; -1 at the end of the document
	ok         bool
	own        outline // of the entry that is being read
}

// entriesAtOnce reads the entries of a list with its first dash at the offset, on all cores, and returns them and the last stretch. A
// stretch counts only if the one before it ends where it begins: what looks like an entry may be inside of quotes.
func (o *outline) entriesAtOnce(first int, visit Visitor) (last stretch, members []*part) {
	dash := first - o.lineStart(first)
	all := o.stretches(first, dash)
	r := listReader{outline: o, dash: dash, visit: visit, line: all[0].line - o.lines.lineAt(first) + 1}
	parallel.Do(context.Background(), len(all), func(i int) { r.readStretch(&all[i], min(all[i].end+stretchBytes, len(o.text))) })
	last.next, last.nextLine = first, all[0].line
	members = make([]*part, 0, len(o.text)/usualItemBytes)
	for i := range all {
		this := &all[i]
		if this.end <= last.next {
			continue // it is inside of an entry
		}
		if !this.ok || this.start != last.next {
			*this = stretch{start: last.next, end: this.end, line: last.nextLine}
			r.readStretch(this, len(o.text))
		}
		for j := range this.members {
			members = append(members, &this.members[j])
		}
		last = *this
		if !last.ok || last.nextColumn != dash || !o.isDash(last.next) {
			break // it ends before the next stretch, or cannot be read
		}
	}
	return last, members
}

// stretches divides the text from the first dash on.
func (o *outline) stretches(first, dash int) []stretch {
	line := 1 + bytes.Count(o.stream[:o.base+first], []byte("\n"))
	var all []stretch
	for start := first; start < len(o.text); {
		end := o.nextDash(min(start+stretchBytes, len(o.text)), dash)
		all = append(all, stretch{start: start, end: end, line: line})
		line += bytes.Count(o.text[start:end], []byte("\n"))
		start = end
	}
	return all
}

// nextDash returns the next dash at the column on a line behind the offset, or the end of the text.
func (o *outline) nextDash(at, column int) int {
	for at = lex.NextLine(o.text, at); at < len(o.text); at = lex.NextLine(o.text, at) {
		if content := lex.SkipSpaces(o.text, at); content-at == column && o.isDash(content) {
			return content
		}
	}
	return at
}

// listReader reads the entries of a list in block style one by one.
type listReader struct {
	*outline
	dash  int // the column of the dashes
	line  int // the number of the document's first line in the stream
	visit Visitor
}

// readStretch reads entries, the last of which ends before a limit. It is not ok if one of them does not, or cannot be read alone. Without
// a limit, each of many false entries could be read up to the end of the text.
func (r *listReader) readStretch(s *stretch, limit int) {
	arena := read.Borrow()
	defer arena.Return()
	s.members = make([]part, 0, (s.end-s.start)/usualItemBytes)
	s.next, s.nextColumn, s.nextLine = s.start, r.dash, s.line
	for s.next < s.end && s.nextColumn == r.dash && r.isDash(s.next) {
		begin := s.next - r.dash
		entry, ok := arena.Entry(r.text[begin:limit], r.dash)
		if isCut := begin+entry.Next+longestMarker > limit; !ok || isCut && limit < len(r.text) {
			return
		}
		at := span{begin, len(r.text)}
		if entry.Column >= 0 {
			at.end = begin + entry.Next - entry.Column
		}
		s.members = append(s.members, newPart(r.stream, span{r.base + at.start, r.base + at.end}))
		member := &s.members[len(s.members)-1]
		ok = r.readEntry(s, member, entry, arena)
		if isFalse := member.found != "" && limit < len(r.text); !ok || isFalse { // probably inside of quotes, with many others
			return
		}
		s.next, s.nextColumn, s.lastEnd = begin+entry.Next, entry.Column, begin+int(entry.Node.End)
		s.nextLine += bytes.Count(r.text[at.start:at.end], []byte("\n"))
		arena.Reset()
	}
	s.ok = true
}

// readEntry finds what the next entry of a stretch is. If the reader is not sure of it, it has to be readable alone.
func (r *listReader) readEntry(s *stretch, member *part, entry read.Entry, arena *read.Arena) bool {
	member.Line, member.Column = s.nextLine, 1
	s.own = newOutline(r.stream, span{member.start, member.end()})
	own := &s.own
	if !entry.Sure {
		document, err := arena.Document(own.text)
		if err != nil || document.Content[0].IsApproximate() || read.HasOtherBreaks(string(own.text)) { // its end may be somewhere else
			return false
		}
		entry.Document, entry.Node = document, entryIn(document.Content[0])
	}
	if own.member(member, entry.Node) != nil {
		return false
	}
	member.moveErrors(member.Line - r.line)
	if isObject := member.found == "" && member.Kind != ""; r.visit != nil && isObject && member.IsSound() && member.members == nil {
		member.Visited = r.visit(&member.Item, entry.Document)
	}
	return true
}

// listInBraces reads a list in braces that begin at an offset, as in JSON.
func (o *outline) listInBraces(at int) (root *node.Node, members []*part, ok bool) {
	root = &node.Node{Kind: node.MappingNode, Tag: node.MapTag, Style: node.FlowStyle, Start: int32(at)}
	arena := new(read.Arena) // of all but the items
	for at = o.skip(at + 1); o.byteAt(at) != '}'; at = o.behindComma(at, '}') {
		key, end, sure := arena.InBraces(o.text, at)
		isShort := end-at < mostKeyBytes && bytes.IndexByte(o.text[at:end], '\n') < 0
		if !sure || key.Kind != node.ScalarNode || !isShort || o.byteAt(end) != ':' {
			return nil, nil, false
		}
		at = o.skip(end + 1)
		var value *node.Node
		if key.Value == "items" && o.byteAt(at) == '[' && members == nil {
			value = &node.Node{Kind: node.SequenceNode, Tag: node.SeqTag, Style: node.FlowStyle, Start: int32(at)}
			members, at = o.entriesInBrackets(at)
			value.End, sure = int32(at), members != nil
		} else {
			value, at, sure = arena.InBraces(o.text, at)
		}
		if !sure {
			return nil, nil, false
		}
		root.Content = append(root.Content, key, value)
	}
	root.End = int32(at + 1)
	return root, members, members != nil && o.skip(at+1) == len(o.text)
}

// behindComma returns the offset of the next entry in brackets, or of the closing one, or the end of the text if neither is there.
func (o *outline) behindComma(at int, closing byte) int {
	switch at = o.skip(at); o.byteAt(at) {
	case ',':
		return o.skip(at + 1)
	case closing:
		return at
	}
	return len(o.text)
}

// skip passes over the space that JSON has. A comment is left to the reader.
func (o *outline) skip(at int) int {
	for at < len(o.text) && (lex.IsBlank(o.text[at]) || lex.IsBreak(o.text[at])) {
		at++
	}
	return at
}

// entriesInBrackets reads the entries of a list that begins at an offset, and returns the offset behind it. There are no members if the
// reader is not sure of one.
func (o *outline) entriesInBrackets(at int) (members []*part, end int) {
	arena := new(read.Arena)
	members = make([]*part, 0, 1)
	for at = o.skip(at + 1); o.byteAt(at) != ']'; at = o.behindComma(at, ']') {
		n, end, sure := arena.InBraces(o.text, at)
		member := newPart(o.stream, span{o.base + at, o.base + end})
		if !sure || o.member(&member, n) != nil {
			return nil, at
		}
		members = append(members, &member)
		at = end
		arena.Reset()
	}
	return members, at + 1
}
