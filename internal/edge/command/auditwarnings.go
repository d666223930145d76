package command

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/manifest"
)

// countManifests returns how many of the pods among items are not of a cluster, which gives each a uid.
func countManifests(items []*manifest.Item) (manifests, pods int) {
	for _, item := range items {
		if item.Kind != "Pod" || item.APIVersion != "v1" {
			continue
		}
		pods++
		if !bytes.Contains(item.Text, []byte("uid:")) && !bytes.Contains(item.Text, []byte(`uid"`)) {
			manifests++
		}
	}
	return manifests, pods
}

// troubles returns the findings of an audit about the pods of rows. If an object cannot be read, or the labels of a
// namespace are not known, a pod may not be as declared, so these are errors: a check must not succeed because
// something is unknown.
func troubles(findings []finding.Finding, rows []audit.Row) []finding.Finding {
	var kept []finding.Finding
	for _, f := range findings {
		isUndecided := func(row audit.Row) bool { return row.Reason == f.Code && row.Injector == f.Injector }
		switch f.Code {
		case finding.InvalidItem:
			f.Severity = finding.Error
		case finding.NamespaceLabelsUnknown:
			if !slices.ContainsFunc(rows, isUndecided) {
				continue
			}
			f.Severity = finding.Error
		}
		kept = append(kept, f)
	}
	return append(kept, unread(rows)...)
}

// unread returns an error for each pod that cannot be read.
func unread(rows []audit.Row) []finding.Finding {
	var found []finding.Finding
	last := [2]string{}
	for i := range rows {
		row := &rows[i]
		if row.Reason != finding.InvalidItem {
			continue
		}
		if pod := [2]string{row.Namespace, row.Pod}; len(found) == 0 || pod != last { // its rows follow each other
			last = pod
			found = append(found, finding.Finding{
				Severity: finding.Error, Code: finding.InvalidItem, Message: row.Message,
				Object: &finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: row.Namespace, Name: row.Pod},
			})
		}
	}
	return found
}

// selectedByNone returns a warning for each injector that selects no pod. Its selection is probably wrong, and
// everything looks fine.
func selectedByNone(rows []audit.Row) []finding.Finding {
	selects, skipped := map[string]bool{}, map[string]map[finding.Code]int{}
	for _, row := range rows {
		if skipped[row.Injector] == nil {
			skipped[row.Injector] = map[finding.Code]int{}
		}
		skipped[row.Injector][row.Reason]++
		selects[row.Injector] = selects[row.Injector] || row.State != audit.Skipped || row.Reason == finding.NamespaceLabelsUnknown
	}
	var warnings []finding.Finding
	for _, injector := range slices.Sorted(maps.Keys(skipped)) {
		if !selects[injector] {
			warnings = append(warnings, finding.Finding{
				Severity: finding.Warning, Code: finding.TooFewMatches,
				Message: fmt.Sprintf("injector %s selects no pod (%s); if it should, check its conditions, and the namespaces that are in the input",
					injector, countReasons(skipped[injector])),
			})
		}
	}
	return warnings
}

// countReasons returns reasons with their numbers.
func countReasons(reasons map[finding.Code]int) string {
	var words []string
	for _, code := range slices.Sorted(maps.Keys(reasons)) {
		words = append(words, fmt.Sprintf("%d %s", reasons[code], code))
	}
	return strings.Join(words, ", ")
}
