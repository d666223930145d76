package manifest

import (
	"bytes"
	"context"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/work/parallel"
)

// longBytes is how long a document is whose items are read one by one, because the nodes of all of them would take a
// lot of memory, and at the same time, because that takes most of the time of reading. Tests make it smaller.
var longBytes = 1 << 18

// longList reads a list item by item. It returns its mapping, with no nodes for the items, and the items. It is not ok
// for a document that is short or no list, and if the reader is not sure.
func (o *outline) longList() (root *node.Node, members []*Item, ok bool) {
	switch start := lex.SkipSpaces(o.Text, 0); {
	case len(o.Text) < longBytes:
		return nil, nil, false
	case o.byteAt(start) == '{':
		return o.listInBraces(start)
	}
	return o.blockList()
}

// blockList reads a list in block style: its head up to the line "items:", the items one by one, and the keys behind
// them.
func (o *outline) blockList() (root *node.Node, members []*Item, ok bool) {
	key := bytes.Index(o.Text, []byte("\nitems:")) + 1
	if key == 0 && !bytes.HasPrefix(o.Text, []byte("items:")) {
		return nil, nil, false
	}
	begin := lex.NextLine(o.Text, key)
	first := lex.SkipSpace(o.Text, begin)
	head, ok := new(read.Arena).Sure(o.Text[:first], 0)
	if !ok || !lex.RestIsBlank(o.Text, key+len("items:")) || !o.isDash(first) {
		return nil, nil, false
	}
	root = head.Content[0]
	last := len(root.Content) - 1
	if root.Kind != node.MappingNode || root.Style&node.FlowStyle != 0 || root.Content[last-1].Value != "items" {
		return nil, nil, false
	}
	members, end, next, ok := o.entriesAtOnce(first)
	if !ok {
		return nil, nil, false
	}
	root.Content[last] = &node.Node{Kind: node.SequenceNode, Tag: node.SeqTag, Start: int32(first), End: int32(end)}
	if next < len(o.Text) {
		tail, ok := new(read.Arena).Sure(o.Text, next)
		if !ok || o.Start(next) != next || tail.Content[0].Kind != node.MappingNode || tail.Content[0].Style&node.FlowStyle != 0 {
			return nil, nil, false
		}
		root.Content = append(root.Content, tail.Content[0].Content...)
	}
	return root, members, true
}

// mostKeyBytes is the longest key in braces that is surely read as one.
const mostKeyBytes = 1000

// usualItemBytes is a little less than the size of most items.
const usualItemBytes = 1000

// isDash reports whether the dash of an entry is at the offset.
func (o *outline) isDash(at int) bool { return o.byteAt(at) == '-' && lex.IsSpaceAt(o.Text, at+1) }

// byteAt returns the byte at an offset, or 0 at the end.
func (o *outline) byteAt(at int) byte {
	if at < len(o.Text) {
		return o.Text[at]
	}
	return 0
}

// stretchBytes is about how much of a list is read at once. Tests make it smaller.
var stretchBytes = 1 << 17

// stretch is a range of entries of a list.
type stretch struct {
	start, end int // where lines with dashes begin
	line       int // the number of the first line in the stream
	members    []Item
	lastEnd    int // of the last entry
	next       int // the offset of the first token behind the entries, if the list ends here, or else the end of the stretch
	ok         bool
	own        outline // of the entry that is being read
}

// entriesAtOnce reads the entries of a list with its first dash at the offset, on all cores. It also returns the end of
// the last entry, and the first token behind the list. What looks like an entry may be inside of quotes. Then a stretch
// before it cannot be read alone, and it is not ok.
func (o *outline) entriesAtOnce(first int) (members []*Item, end, next int, ok bool) {
	r := listReader{outline: o, dash: first - o.Start(first)}
	all := r.stretches(o.Start(first))
	parallel.Do(context.Background(), len(all), func(i int) { r.readStretch(&all[i]) })
	members = make([]*Item, 0, len(o.Text)/usualItemBytes)
	for i := range all {
		s := &all[i]
		if !s.ok {
			return nil, 0, 0, false
		}
		for j := range s.members {
			members = append(members, &s.members[j])
		}
		if end, next = s.lastEnd, s.next; next != s.end {
			break
		}
	}
	return members, end, next, true
}

// listReader reads the entries of a list in block style one by one.
type listReader struct {
	*outline
	dash int // the column of the dashes
}

// stretches divides the text from the line with the first dash on.
func (r *listReader) stretches(start int) (all []stretch) {
	for line := r.lines.lineAt(start); start < len(r.Text); {
		end := lex.NextLine(r.Text, min(start+stretchBytes, len(r.Text)))
		for end < len(r.Text) && (lex.SkipSpaces(r.Text, end) != end+r.dash || !r.isDash(end+r.dash)) {
			end = lex.NextLine(r.Text, end)
		}
		all = append(all, stretch{start: start, end: end, line: line})
		line += bytes.Count(r.Text[start:end], []byte("\n"))
		start = end
	}
	return all
}

// readStretch reads entries. It is not ok if one of them cannot be read alone, or does not end in the stretch.
func (r *listReader) readStretch(s *stretch) {
	arena := read.Borrow()
	defer arena.Return()
	s.members = make([]Item, 0, (s.end-s.start)/usualItemBytes)
	line, end := s.line, s.start
	for s.next = s.start + r.dash; end < s.end && s.next == end+r.dash && r.isDash(s.next); {
		begin := end
		entry, ok := arena.Entry(r.Text[begin:s.end], r.dash)
		if !ok {
			return
		}
		end, s.next = s.end, s.end
		if entry.Column >= 0 {
			s.next = begin + entry.Next
			end = s.next - entry.Column
		}
		s.members = append(s.members, newItem(r.stream, r.span(begin, end)))
		member := &s.members[len(s.members)-1]
		member.Line, member.Column = line, 1
		if !r.readEntry(&s.own, member, entry, arena) {
			return
		}
		s.lastEnd = begin + int(entry.Node.End)
		line += bytes.Count(member.Text, []byte("\n"))
		arena.Reset()
	}
	s.ok = true
}

// readEntry finds what an entry is. If the reader is not sure of it, it has to be readable alone.
func (r *listReader) readEntry(own *outline, member *Item, entry read.Entry, arena *read.Arena) bool {
	*own = newOutline(r.stream, span{member.start, member.end()}, member.Line)
	if !entry.Sure {
		document, err := arena.Document(own.Text)
		if err != nil || document.Content[0].IsApproximate || read.HasOtherBreaks(string(own.Text)) { // its end may be somewhere else
			return false
		}
		entry.Node = entryIn(document.Content[0])
	}
	return own.member(member, entry.Node) == nil
}

// listInBraces reads a list in braces that begin at an offset, as in JSON.
func (o *outline) listInBraces(at int) (root *node.Node, members []*Item, ok bool) {
	root = &node.Node{Kind: node.MappingNode, Tag: node.MapTag, Style: node.FlowStyle, Start: int32(at)}
	arena := new(read.Arena) // of all but the items
	for at = o.skip(at + 1); o.byteAt(at) != '}'; at = o.behindComma(at, '}') {
		key, end, sure := arena.InBraces(o.Text, at)
		isShort := end-at < mostKeyBytes && bytes.IndexByte(o.Text[at:end], '\n') < 0
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
			value, at, sure = arena.InBraces(o.Text, at)
		}
		if !sure {
			return nil, nil, false
		}
		root.Content = append(root.Content, key, value)
	}
	root.End = int32(at + 1)
	return root, members, members != nil && o.skip(at+1) == len(o.Text)
}

// behindComma returns the offset of the next entry in brackets, or of the closing one, or the end of the text if
// neither is there.
func (o *outline) behindComma(at int, closing byte) int {
	switch at = o.skip(at); o.byteAt(at) {
	case ',':
		return o.skip(at + 1)
	case closing:
		return at
	}
	return len(o.Text)
}

// skip passes over the space that JSON has. A comment is left to the reader.
func (o *outline) skip(at int) int {
	for at < len(o.Text) && (lex.IsBlank(o.Text[at]) || lex.IsBreak(o.Text[at])) {
		at++
	}
	return at
}

// entriesInBrackets reads the entries of a list that begins at an offset, and returns the offset behind it. There are
// no members if the reader is not sure of one.
func (o *outline) entriesInBrackets(at int) (members []*Item, end int) {
	arena := new(read.Arena)
	members = make([]*Item, 0, 1)
	for at = o.skip(at + 1); o.byteAt(at) != ']'; at = o.behindComma(at, ']') {
		n, end, sure := arena.InBraces(o.Text, at)
		member := newItem(o.stream, o.span(at, end))
		if !sure || o.member(&member, n) != nil {
			return nil, at
		}
		members = append(members, &member)
		at = end
		arena.Reset()
	}
	return members, at + 1
}
