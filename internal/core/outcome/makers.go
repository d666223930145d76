package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/maker"
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
	words := c.Kind.Plural
	if len(c.Makers) == 1 {
		words = c.Kind.Noun
	}
	var parts []string
	if c.Covered > 0 {
		parts = append(parts, fmt.Sprintf("%d covered", c.Covered))
	}
	if c.Unchecked() > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", c.Unchecked()))
	}
	return fmt.Sprintf("%d %s: %s", len(c.Makers), words, strings.Join(parts, ", "))
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
	if len(c.Makers) == 1 {
		return "1 " + c.Makers[0].Kind.Noun + " is covered: " + c.Reason
	}
	return fmt.Sprintf("%d %s are covered: %s", len(c.Makers), c.Makers[0].Kind.Plural, c.Reason)
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
		f.Message = "it makes pods that are not checked here" + about(first)
		f.Detail = strings.Join(waysFor(first), "\n")
		return f
	}
	f.Message = fmt.Sprintf("%d %s make pods that are not checked here", len(all), first.Kind.Plural)
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

// about returns from what pods are made, and why that is not covered, as the end of a message.
func about(m *maker.Maker) string {
	switch {
	case m.Why != "" && m.From != "":
		return " (from " + m.From + "): " + m.Why
	case m.Why != "":
		return ": " + m.Why
	case m.From != "":
		return " (from " + m.From + ")"
	}
	return ""
}

// groupsOf returns lines with what most makers are made from, and one about the others.
func groupsOf(all []*maker.Maker) []string {
	const most = 5
	counts := map[string]int{}
	var order []string
	for _, m := range all {
		key := "of " + cmp.Or(m.From, m.Object.String())
		if m.Why != "" {
			key = "because " + m.Why
		}
		if counts[key] == 0 {
			order = append(order, key)
		}
		counts[key]++
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	var lines []string
	for i, key := range order {
		if i == most && len(order) > most+1 {
			others := 0
			for _, key := range order[i:] {
				others += counts[key]
			}
			return append(lines, fmt.Sprintf("%d of %s; -v lists all", others, spelling.Plural(len(order)-i, "other")))
		}
		lines = append(lines, fmt.Sprintf("%d %s", counts[key], key))
	}
	return lines
}

// namesOf returns a line for each maker.
func namesOf(all []*maker.Maker) []string {
	lines := make([]string, len(all))
	for i, m := range all {
		where := ""
		if m.File != nil {
			where = m.File.String() + ": "
		}
		lines[i] = where + m.Object.String() + about(m)
	}
	return lines
}
