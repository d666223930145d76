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

// longList reads a list in block style: its head up to the line "items:", the items one by one, and the keys behind them. It returns
// the mapping, with no nodes for the items, and the items. It is not ok for any other document, and if the reader is not sure.
func (o *outline) longList() (root *node.Node, members []part, ok bool) {
	if len(o.text) < longBytes {
		return nil, nil, false
	}
	key := bytes.Index(o.text, []byte("\nitems:")) + 1
	if key == 0 && !bytes.HasPrefix(o.text, []byte("items:")) {
		return nil, nil, false
	}
	begin := lex.NextLine(o.text, key)
	first := lex.SkipSpace(o.text, begin)
	head, ok := new(read.Arena).Sure(o.text[:begin], 0)
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

// usualItemBytes is a little less than the size of most items.
const usualItemBytes = 1000

// isDash reports whether the dash of an entry is at the offset.
func (o *outline) isDash(at int) bool {
	return at < len(o.text) && o.text[at] == '-' && lex.IsSpaceAt(o.text, at+1)
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
		case !list.ok:
			return list
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
	s.members = make([]part, 0, (s.end-s.start)/usualItemBytes)
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
	document, err := arena.Document(alone.text)
	if err != nil || document.Content[0].IsApproximate() || entryIn(document.Content[0]) == document.Content[0] {
		return member, false
	}
	err = alone.member(&member, entryIn(document.Content[0]))
	return member, err == nil && member.broken == nil
}
