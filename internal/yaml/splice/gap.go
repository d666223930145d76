package splice

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// gap is the lines between two entries that stay in a list, on the way through the list. Restored entries go to
// their former place among the comments and blank lines in it.
type gap struct {
	s       *splicer
	list    *yaml.Node
	removed map[int]int // the lines behind entries that are removed, by the lines on which they begin

	line   int // the first line that the next entry may go to
	passed int // how many comments and blank lines are above that
}

// gapIn returns the gap at the top of a collection, or nil if no entry of it is restored.
func (s *splicer) gapIn(b, a *yaml.Node, changes []change) *gap {
	isKnown := func(c change) bool { return c.before < 0 && has(s.below, head(a, c.after)) }
	if len(s.below) == 0 || s.BeginsBehind(s.childStart(b, 0)) || !slices.ContainsFunc(changes, isKnown) {
		return nil
	}
	g := &gap{s: s, list: b, line: s.Start(s.childStart(b, 0)), removed: map[int]int{}}
	for _, c := range changes {
		if c.after < 0 {
			entry := b.Content[c.before]
			g.removed[s.Start(s.Get(entry).Lead)] = s.entryEnd(entry)
		}
	}
	for g.line > 0 {
		above := s.Start(g.line - 1)
		if !g.isBetween(above) {
			break
		}
		g.line = above
	}
	return g
}

// pass goes behind an entry that stays. An entry that was added before does not begin another gap.
func (g *gap) pass(a *yaml.Node, c change) {
	if g == nil {
		return
	}
	entry := g.list.Content[c.before]
	if _, restored := g.s.style.Texts[a.Content[c.after]]; g.s.wasAdded(entry) && !restored {
		g.passed += g.down(len(g.s.text), g.s.Start(g.s.Get(entry).Lead))
	} else {
		g.passed = 0
	}
	g.line = g.s.entryEnd(entry)
}

// lineFor returns the line for a new entry: below as many lines as it was before, or else the given line, if that is not above
// the entry before it.
func (g *gap) lineFor(entry *yaml.Node, at int) int {
	if below, known := g.s.below[entry]; known {
		g.down(below-g.passed, len(g.s.text))
		g.passed = 0
	} else {
		g.line = max(g.line, at)
	}
	return g.line
}

// down goes down over comments and blank lines, and returns how many. Entries that are removed do not count.
func (g *gap) down(most, until int) (count int) {
	for g.line < until {
		if end, isRemoved := g.removed[g.line]; isRemoved {
			g.line = end
			continue
		}
		if count >= most || !g.isBetween(g.line) {
			break
		}
		g.line = g.s.Next(g.line)
		count++
	}
	return count
}

// isBetween reports whether a line holds only a comment, or nothing.
func (g *gap) isBetween(line int) bool {
	_, comment := g.s.Comment(line)
	return comment || g.s.IsBlank(line)
}
