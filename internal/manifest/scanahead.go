package manifest

import (
	"runtime"
	"slices"

	"pillion.dev/pillion/internal/yaml/lex"
)

// aheadBytes is the size from which a list is scanned on all cores. It is a variable for tests.
var aheadBytes = 1 << 20

// stretch is some of the lines of a list, which a scanner of its own reads ahead. It begins on a line that looks like the start of
// an entry. If it is one, which the scanner before it finds out, the stretch is what that scanner would have read.
type stretch struct {
	scanner
	list       part // with the members that were read
	start, end int
	done       chan struct{}
	failed     bool // by a panic
}

// blockMembersAhead is blockMembers for a list of any length: it reads stretches of a long one at the same time.
func (s *scanner) blockMembersAhead(p *part, dash int) {
	stretches := s.stretches(dash)
	for _, ahead := range stretches {
		go ahead.scan(dash)
	}
	for _, ahead := range stretches {
		s.blockMembers(p, dash, ahead.start)
		<-ahead.done
		if s.line == ahead.start && !s.unsure && !ahead.failed {
			p.members = append(p.members, ahead.list.members...)
			ahead.names = s.names
			*s = ahead.scanner
		}
	}
	s.blockMembers(p, dash, len(s.text))
}

// stretches divides the lines from the current one on among the cores. The first of them are not part of a stretch.
func (s *scanner) stretches(dash int) []*stretch {
	cores, size := runtime.GOMAXPROCS(0), len(s.text)-s.line
	if size < aheadBytes {
		return nil
	}
	var all []*stretch
	for i := 1; i < cores; i++ {
		at := s.nextEntry(s.line+i*size/cores, dash)
		if at == len(s.text) {
			break
		}
		if last := len(all) - 1; last >= 0 {
			all[last].end = at
		}
		ahead := &stretch{start: at, end: len(s.text), done: make(chan struct{})}
		ahead.scanner = scanner{text: s.text, next: at, open: -1, deeper: nothingDeeper, depth: s.depth, names: interner{}}
		all = append(all, ahead)
	}
	return all
}

// nextEntry returns the start of the next line behind an offset with a dash at the column, or the end of the text.
func (s *scanner) nextEntry(at, dash int) int {
	for at = lex.NextLine(s.text, at); at < len(s.text); at = lex.NextLine(s.text, at) {
		if content := lex.SkipSpaces(s.text, at); content-at == dash && s.isIndicator(content, '-') {
			break
		}
	}
	return at
}

// scan reads the stretch. If it panics, the stretch is not used: the scanner before it reads the same lines and panics itself, in a
// goroutine where the program can recover.
func (a *stretch) scan(dash int) {
	defer close(a.done)
	defer func() { a.failed = recover() != nil }()
	a.advance()
	a.blockMembers(&a.list, dash, a.end)
}

// blockMembers reads the entries with their dashes at a column, up to the first one that begins at the end or behind it.
func (s *scanner) blockMembers(p *part, dash, end int) {
	for !s.unsure && s.line < end && s.column == dash && s.isEntry() {
		if len(p.members) == cap(p.members) {
			p.members = slices.Grow(p.members, len(p.members)+1) // which copies less than append if there are thousands
		}
		p.members = append(p.members, s.blockMember(dash))
	}
}
