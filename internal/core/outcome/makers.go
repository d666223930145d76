package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// Unchecked returns the makers that are not covered.
func (r Run) Unchecked() []*maker.Maker {
	return slices.DeleteFunc(slices.Clone(r.Makers), (*maker.Maker).IsCovered)
}

// MakerCount is how many makers there are of one kind.
type MakerCount struct {
	Kind    *maker.Kind
	Covered int
	Makers  []*maker.Maker // all of them
}

// Unchecked returns how many of them are not covered.
func (c MakerCount) Unchecked() int { return len(c.Makers) - c.Covered }

// String returns the counts in words: 79 HelmReleases: 40 covered, 39 not checked.
func (c MakerCount) String() string {
	var parts []string
	if c.Covered > 0 {
		parts = append(parts, fmt.Sprintf("%d covered", c.Covered))
	}
	if c.Unchecked() > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", c.Unchecked()))
	}
	return c.Kind.Count(len(c.Makers)) + ": " + strings.Join(parts, ", ")
}

// MakerCounts counts the makers by kind, in the order of their first ones.
func (r Run) MakerCounts() []MakerCount {
	var counts []MakerCount
	index := map[string]int{}
	for _, m := range r.Makers {
		at, isKnown := index[m.Kind.Plural]
		if !isKnown {
			at = len(counts)
			index[m.Kind.Plural] = at
			counts = append(counts, MakerCount{Kind: m.Kind})
		}
		counts[at].Makers = append(counts[at].Makers, m)
		if m.IsCovered() {
			counts[at].Covered++
		}
	}
	return counts
}

// Cover is why makers of one kind are covered, and which they are.
type Cover struct {
	Reason string
	Makers []*maker.Maker
}

// String returns how many makers are covered, and why: 3 HelmReleases are covered: CI renders them.
func (c Cover) String() string {
	verb := " are"
	if len(c.Makers) == 1 {
		verb = " is"
	}
	return c.Makers[0].Kind.Count(len(c.Makers)) + verb + " covered: " + c.Reason
}

// Covers returns why makers are covered, by kind and reason, in the order of their first ones.
func (r Run) Covers() []Cover {
	var covers []Cover
	index := map[[2]string]int{}
	for _, m := range r.Makers {
		key := [2]string{m.Kind.Plural, m.Cover}
		if at, isKnown := index[key]; isKnown {
			covers[at].Makers = append(covers[at].Makers, m)
		} else if m.IsCovered() {
			index[key] = len(covers)
			covers = append(covers, Cover{m.Cover, []*maker.Maker{m}})
		}
	}
	return covers
}

// covered returns findings about what is covered, for those who want to see everything.
func (r Run) covered() []finding.Finding {
	var findings []finding.Finding
	for _, c := range r.Covers() {
		findings = append(findings, finding.Finding{
			Severity: finding.Info,
			Code:     finding.NotRendered,
			Message:  c.String(),
			Detail:   strings.Join(namesOf(c.Makers), "\n"),
			File:     c.Makers[0].File,
		})
	}
	return findings
}

// NotRendered returns the findings about makers that are not covered: one for each kind. It lists some of what they are
// made from, or all of them.
func (r Run) NotRendered(listsAll bool) []finding.Finding {
	var findings []finding.Finding
	for _, kind := range r.MakerCounts() {
		if kind.Unchecked() > 0 {
			unchecked := slices.DeleteFunc(slices.Clone(kind.Makers), (*maker.Maker).IsCovered)
			findings = append(findings, r.notRenderedOf(unchecked, listsAll))
		}
	}
	return findings
}

// notRenderedOf returns the finding about makers of one kind.
func (r Run) notRenderedOf(all []*maker.Maker, listsAll bool) finding.Finding {
	first := all[0]
	f := finding.Finding{Severity: finding.Warning, Code: finding.NotRendered, File: first.File}
	if r.isVerified {
		f.Severity = finding.Error
	}
	if len(all) == 1 {
		f.Object = &first.Object
		f.Message = "it makes pods that are not checked here" + first.Says()
		f.Detail = strings.Join(waysFor(first), "\n")
		return f
	}
	f.Message = first.Kind.Count(len(all)) + " make pods that are not checked here"
	lines := groupsOf(all)
	if listsAll {
		lines = namesOf(all)
	}
	if r.isVerified {
		lines = append(lines, waysFor(first)...)
	}
	f.Detail = strings.Join(lines, "\n")
	return f
}

// waysFor returns lines with what to do about makers of one kind.
func waysFor(m *maker.Maker) []string {
	lines := []string{"one of:"}
	for _, way := range m.Kind.Ways {
		lines = append(lines, "  "+way)
	}
	accept := "  accept it: add a row to covered in the project file, with the reason"
	if m.Kind.Group != "" {
		accept += ", or annotate the object with " + v1alpha1.DefaultMarker + `: "false"`
	}
	return append(lines, accept)
}

// group is several makers of one kind that are made from the same, or are not covered for the same reason.
type group struct {
	text  string
	first *maker.Maker
	count int
}

// String returns how many they are and what they have in common. What is not covered for a reason of its own is named.
func (g *group) String() string {
	text := fmt.Sprintf("%d %s", g.count, g.text)
	if g.count == 1 && g.first.Why != "" {
		text += ": " + nameOf(g.first)
	}
	return escape.Line(text)
}

// groupsOf returns lines about the groups with the most makers, and one about the others.
func groupsOf(all []*maker.Maker) []string {
	const most = 5
	var groups []*group
	byText := map[string]*group{}
	for _, m := range all {
		text := "of " + cmp.Or(m.From, nameOf(m))
		if m.Inside != "" {
			text += " (" + m.Inside + ")"
		}
		if m.Why != "" {
			text = "because " + m.Why
		}
		if byText[text] == nil {
			byText[text] = &group{text: text, first: m}
			groups = append(groups, byText[text])
		}
		byText[text].count++
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.count, a.count) })
	var lines []string
	for i, g := range groups {
		if i == most && len(groups) > most+1 {
			others := 0
			for _, other := range groups[i:] {
				others += other.count
			}
			return append(lines, fmt.Sprintf("%d of %s; -v lists all", others, spelling.Plural(len(groups)-i, "other")))
		}
		lines = append(lines, g.String())
	}
	return lines
}

// nameOf returns the name of a maker: that of the object, or the path of the file.
func nameOf(m *maker.Maker) string {
	if m.Object.Name == "" && m.File != nil {
		return m.File.String()
	}
	return m.Object.String()
}

// namesOf returns a line for each maker.
func namesOf(all []*maker.Maker) []string {
	lines := make([]string, len(all))
	for i, m := range all {
		location := ""
		if m.File != nil {
			location = m.File.String() + ": "
		}
		lines[i] = escape.Line(location + m.Object.String() + m.Says())
	}
	return lines
}
