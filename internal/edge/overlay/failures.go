package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/text/escape"
)

// Failures returns a finding for each kind of cause why roots cannot be built, at the first of them. Empty is the severity
// of roots that build nothing, unless one of them was named.
func (b Builder) Failures(roots []*Root, severity, empty finding.Severity) []finding.Finding {
	most := maxNameBytes
	if b.ListsAll {
		most *= 10
	}
	var groups [kustomization.Kinds]failures
	for _, root := range roots {
		for _, cause := range kustomization.CausesOf(root.Err) {
			groups[cause.Kind].add(root, escape.Line(escape.Clip(cause.Name, most)))
		}
	}
	var all []finding.Finding
	for i := range groups {
		g := &groups[i]
		if len(g.roots) == 0 {
			continue
		}
		kind := kustomization.Kind(i)
		f := finding.Finding{
			Severity: severity,
			Code:     finding.BuildFailed,
			Message:  kind.Describe(dirsOf(g.roots), g.names),
			Detail:   strings.Join(g.lines(b.ListsAll), "\n"),
			File:     &finding.File{Path: g.roots[0].File},
		}
		isNamed := func(root *Root) bool { return root.IsNamed }
		if kind == kustomization.BuildsNothing && !slices.ContainsFunc(g.roots, isNamed) {
			f.Severity = empty
		}
		all = append(all, f)
	}
	return all
}

// failures are the roots that cannot be built because of one kind of cause.
type failures struct {
	roots  []*Root
	names  []string // of the causes
	byName map[string][]*Root
}

func (g *failures) add(root *Root, name string) {
	if g.byName == nil {
		g.byName = map[string][]*Root{}
	}
	if len(g.byName[name]) == 0 {
		g.names = append(g.names, name)
	}
	g.byName[name] = append(g.byName[name], root)
	if !slices.Contains(g.roots[max(0, len(g.roots)-1):], root) {
		g.roots = append(g.roots, root)
	}
}

// lines returns which roots they are, by cause, the most frequent first. Unless all are wanted, these are the first ones,
// and there are none about a single root.
func (g *failures) lines(all bool) []string {
	const (
		mostCauses = 5
		mostRoots  = 3
	)
	if isSaid := len(g.names) <= kustomization.FewNames || !all; len(g.roots) == 1 && isSaid {
		return nil
	}
	names := slices.Clone(g.names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(g.byName[b]), len(g.byName[a])) })
	var lines []string
	for i, name := range names {
		roots := g.byName[name]
		switch {
		case all:
			if name != "" {
				lines = append(lines, name+":")
			}
			for _, root := range roots {
				lines = append(lines, "  "+escape.Line(root.File))
			}
		case len(names) == 1:
			others := dirsOf(roots[1:])
			if more := len(others) - mostRoots; more > 0 {
				others = append(others[:mostRoots:mostRoots], fmt.Sprintf("and %d more; -v lists all", more))
			}
			lines = append(lines, "also "+strings.Join(others, ", "))
		case i == mostCauses && len(names) > mostCauses+1:
			return append(lines, fmt.Sprintf("... and %d more; -v lists all", len(names)-mostCauses))
		default:
			others := ""
			if len(roots) > 1 {
				others = " and others"
			}
			lines = append(lines, fmt.Sprintf("%d x %s (%s%s)", len(roots), name, escape.Line(roots[0].Dir), others))
		}
	}
	return lines
}

func dirsOf(roots []*Root) []string {
	dirs := make([]string, len(roots))
	for i, root := range roots {
		dirs[i] = escape.Line(root.Dir)
	}
	return dirs
}
