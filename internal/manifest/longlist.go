package manifest

import (
	"bytes"
	"context"
	"runtime"

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
func (o *outline) longList() (root *node.Node, members []part, ok bool) {
	if len(o.text) < longBytes {
		return nil, nil, false
	}
	if start := lex.SkipSpaces(o.text, 0); o.byteAt(start) == '{' {
		return o.listInBraces(start)
	}
	return o.blockList()
}

// blockList reads a list in block style: its head up to the line "items:", the items one by one, and the keys behind them.
func (o *outline) blockList() (root *node.Node, members []part, ok bool) {
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
	list := o.entriesAtOnce(first)
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
	return root, list.members, true
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

// stretch is a range of entries of a list.
type stretch struct {
	start, end int // where dashes are
	members    []part
	lastEnd    int // of the last entry
	next       int // the offset of the first token behind the entries
	nextColumn int // its column; -1 at the end of the document
	ok         bool
}

// entriesAtOnce reads the entries of a list with its first dash at the offset, on all cores. A stretch counts only if the one before it
// ends where it begins: what looks like an entry may be inside of quotes.
func (o *outline) entriesAtOnce(first int) stretch {
	dash := first - o.lineStart(first)
	all := o.stretches(first, dash)
	parallel.Do(context.Background(), len(all), func(i int) { o.readStretch(&all[i], dash) })
	list := all[0]
	for _, ahead := range all[1:] {
		switch {
		case !list.ok || list.nextColumn != dash || !o.isDash(list.next):
			return list // it ends before the next stretch, or cannot be read
		case list.next != ahead.start:
			ahead = stretch{start: list.next, end: ahead.end}
			o.readStretch(&ahead, dash)
		}
		ahead.members = append(list.members, ahead.members...)
		list = ahead
	}
	return list
}

// stretches divides the text from the first dash on into one stretch per core.
func (o *outline) stretches(first, dash int) []stretch {
	cores, size := runtime.GOMAXPROCS(0), len(o.text)-first
	all := []stretch{{start: first, end: len(o.text)}}
	for i := 1; i < cores; i++ {
		at := o.nextDash(max(first+i*size/cores, all[i-1].start), dash)
		if at == len(o.text) {
			break
		}
		all[i-1].end = at
		all = append(all, stretch{start: at, end: len(o.text)})
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

// readStretch reads entries with their dashes at a column. It is not ok if one of them cannot be read alone.
func (o *outline) readStretch(s *stretch, dash int) {
	own := newOutline(o.text, span{0, len(o.text)})
	own.base = o.base
	arena := new(read.Arena)
	s.members = make([]part, 0, (len(o.text)-s.start)/usualItemBytes) // those of the stretches behind it will be added
	s.next, s.nextColumn = s.start, dash
	for s.next < s.end && s.nextColumn == dash && o.isDash(s.next) {
		entry, ok := arena.Entry(o.text, s.next)
		if !ok {
			return
		}
		at := span{s.next - dash, len(o.text)}
		if entry.Column >= 0 {
			at.end = entry.Next - entry.Column
		}
		member, ok := own.readEntry(at, entry, arena)
		if !ok {
			return
		}
		if text := o.text[at.start:at.end]; bytes.HasSuffix(text, []byte("\n")) {
			member.lines = bytes.Count(text, []byte("\n"))
		}
		s.members = append(s.members, member)
		s.next, s.nextColumn, s.lastEnd = entry.Next, entry.Column, int(entry.Node.End)
		arena.Reset()
	}
	s.ok = true
}

// readEntry finds what an entry is. If the reader is not sure of it, it has to be readable alone.
func (o *outline) readEntry(at span, entry read.Entry, arena *read.Arena) (member part, ok bool) {
	member.span = span{o.base + at.start, o.base + at.end}
	if entry.Sure {
		return member, o.member(&member, entry.Node) == nil
	}
	alone := newOutline(o.text, at)
	alone.base = member.start
	if lex.HasRareBreaks(alone.text) { // its end may be somewhere else
		return member, false
	}
	document, err := arena.Document(alone.text)
	if err != nil || document.Content[0].IsApproximate() {
		return member, false
	}
	err = alone.member(&member, entryIn(document.Content[0]))
	return member, err == nil && member.broken == nil && member.problem == nil // which have lines of the entry
}

// listInBraces reads a list in braces that begin at an offset, as in JSON.
func (o *outline) listInBraces(at int) (root *node.Node, members []part, ok bool) {
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
func (o *outline) entriesInBrackets(at int) (members []part, end int) {
	arena := new(read.Arena)
	members = make([]part, 0, 1)
	for at = o.skip(at + 1); o.byteAt(at) != ']'; at = o.behindComma(at, ']') {
		n, end, sure := arena.InBraces(o.text, at)
		member := part{span: span{o.base + at, o.base + end}}
		if !sure || o.member(&member, n) != nil {
			return nil, at
		}
		members = append(members, member)
		at = end
		arena.Reset()
	}
	return members, at + 1
}
