package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// sharedEntry is an entry for the app's containers, with its place in the config.
type sharedEntry struct {
	appEntry

	l  *limits // of its injector
	at string  // its field, such as "appContainers[0].env[1]"
}

// findSharedEntries returns an error finding for each entry that policies cannot combine with an earlier one of the same key, because
// Pillion decides by who added what, which a policy does not know.
func findSharedEntries(injectors []*injector.Injector) []finding.Finding {
	var all []*limits
	var cost entryCost
	byKey := map[string][]sharedEntry{}
	for _, in := range injectors {
		l := &limits{in: in}
		all = append(all, l)
		for i := range in.AppContainers {
			rule := &in.AppContainers[i]
			for _, field := range appFields {
				for n, body := range entriesOf(rule, containersList, field) {
					e := sharedEntry{newAppEntry(rule, field, body), l, fmt.Sprintf("appContainers[%d].%s[%d]", i, field, n)}
					cost.add(e)
					key := field + "/" + e.key
					e.compare(byKey[key])
					byKey[key] = append(byKey[key], e)
				}
			}
		}
	}
	var findings []finding.Finding
	for _, l := range all {
		findings = append(findings, l.findings...)
	}
	return findings
}

// entryCost estimates what the API server charges for the entries of all injectors. Each step goes through the lists of all containers, so
// the cost grows with the square of the number of entries.
type entryCost struct {
	entries    int
	compared   int // those that are compared with the app's
	placed     int // those that need steps of their own
	isReported bool
}

// The estimate is for a pod with many containers that have many entries, and leaves a reserve to the API server's limit of 10,000,000.
// TestManyVariablesInALargePod measures it.
const (
	manyContainers, manyEntries                 = 20, 20
	costOfEntry, costOfComparing, costOfPlacing = 2, 18, 40
	maxCost                                     = 8_000_000
)

// add reports the entry with which the cost gets too high.
func (c *entryCost) add(e sharedEntry) {
	c.entries++
	if e.isReplaced(e.l.in) || len(e.uses()) > 0 && e.rule.EnvPosition != v1alpha1.EnvAppend {
		c.placed++
	} else if e.join != nil || e.onConflict(e.l.in) == v1alpha1.ConflictError {
		c.compared++
	}
	cost := manyContainers * (c.entries + manyEntries) * (costOfEntry*c.entries + costOfComparing*c.compared + costOfPlacing*c.placed)
	if cost <= maxCost || c.isReported {
		return
	}
	c.isReported = true
	e.l.add(e.at, "with this one, the policy has %d entries for the app's containers, which costs more than the API server allows; "+
		"read variables from a ConfigMap with envFrom", c.entries)
}

// compare reports the first problem with the entries of the same key before this one.
func (e sharedEntry) compare(earlier []sharedEntry) {
	if len(earlier) >= maxParts {
		e.l.addIf(len(earlier) == maxParts, e.at, "there are more than %d entries for %s, so that the policy would get too large; "+
			"use fewer rules", maxParts, e.key)
		return
	}
	for _, other := range earlier {
		if problem := e.problemWith(other); problem != "" {
			e.l.add(e.at, "%s", problem)
			return
		}
	}
}

// maxParts bounds the entries of one key, because the condition of each has those of all others.
const maxParts = 50

// problemWith returns why policies cannot combine the entry with an earlier one of the same key, or "".
func (e sharedEntry) problemWith(other sharedEntry) string {
	isOwn := e.l == other.l
	switch {
	case e.join != nil && other.join != nil:
		return e.overlap(other)
	case isOwn: // the first one for a container counts
		return ""
	case e.join != nil || other.join != nil:
		return fmt.Sprintf("injector %s sets the variable %s, and another joins a value to it, which Pillion refuses unless the app sets it; "+
			"join both, or keep one", e.setter(other), e.key)
	case !node.Equal(e.body, other.body):
		return fmt.Sprintf("injector %s sets %s to another value, which Pillion refuses; make them equal, or keep one", other.l.in.Name, e.key)
	case e.onConflict(e.l.in) != other.onConflict(other.l.in) && (e.isReplaced(e.l.in) || other.isReplaced(other.l.in)):
		return fmt.Sprintf("injector %s has %s as well, and the two have different values of onConflict.%s, one of them %s; use the same one",
			other.l.in.Name, e.key, pod.InContainer(e.field).Taken.Field, v1alpha1.ConflictReplace)
	}
	return ""
}

// setter returns the injector of the one of two entries that is not joined.
func (e sharedEntry) setter(other sharedEntry) string {
	if e.join == nil {
		return e.l.in.Name
	}
	return other.l.in.Name
}

// overlap returns why policies cannot join two values to one variable, or "". Pillion splits the value again to find what is joined to it
// already, and may take elements of one part for those of another. The policies do not split it, so they need parts that cannot be
// mistaken: on one side of the app's value, none is the outer end of another; and parts of different injectors on both sides have no
// common element, because a part that two injectors share counts twice.
func (e sharedEntry) overlap(other sharedEntry) string {
	text, otherText := node.Text(e.body, "value"), node.Text(other.body, "value")
	switch {
	case e.join.Separator != other.join.Separator:
		return fmt.Sprintf("injector %s joins values to %s with the separator %q, which Pillion refuses; use the same one",
			other.l.in.Name, e.key, other.join.Separator)
	case e.l == other.l && e.rule.EnvPosition != other.rule.EnvPosition:
		return fmt.Sprintf("values are joined to %s with envPosition Prepend and with Append; use the same one", e.key)
	case e.l != other.l && len(e.uses())+len(other.uses()) > 0:
		return fmt.Sprintf("several injectors join values to %s, and one of the values uses another variable, so the result depends on "+
			"where each injector added %[1]s; join them in one injector", e.key)
	case text == otherText && (e.l == other.l || e.join.Before == other.join.Before):
		return ""
	case strings.Contains(text+otherText, "${"):
		return fmt.Sprintf("%s has several joined values, and policies cannot compare those with ${...}; write them as one value", e.key)
	}
	long, short := strings.Split(text, e.join.Separator), strings.Split(otherText, e.join.Separator)
	if len(long) < len(short) {
		long, short = short, long
	}
	var isPart bool
	switch {
	case e.join.Before != other.join.Before:
		isPart = e.l != other.l && slices.ContainsFunc(short, func(element string) bool { return slices.Contains(long, element) })
	case e.join.Before:
		isPart = slices.Equal(long[:len(short)], short)
	default:
		isPart = slices.Equal(long[len(long)-len(short):], short)
	}
	if isPart {
		return fmt.Sprintf("%q and %q, which are joined to %s, have elements in common that Pillion tells apart by its stamps, and policies "+
			"have none; join one value that has both", otherText, text, e.key)
	}
	return ""
}
