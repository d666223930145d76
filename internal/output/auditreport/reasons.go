package auditreport

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// longest is the length of the longest text from a pod that reports show. A pod may have messages of any length.
const longest = 300

func cut(text string) string { return escape.Clip(text, longest) }

// reasonOf returns why pods of a workload are in a state, in few words: the cause, and the most frequent reason.
func (o *workload) reasonOf(rows []audit.Row) string {
	most := mostFrequent(rows)
	if cause := explanations[o.Cause].short; cause != "" && isExplained(rows[0].State) {
		return strings.TrimSuffix(cause+"; "+most, "; ")
	}
	return most
}

// mostFrequent returns the reason that most rows have.
func mostFrequent(rows []audit.Row) string {
	times, most := map[string]int{}, ""
	for i := range rows {
		reason := inShort(&rows[i])
		times[reason]++
		if times[reason] > times[most] {
			most = reason
		}
	}
	if others := len(rows) - times[most]; others > 0 {
		most += " (and " + spelling.Plural(others, "pod") + " for other reasons)"
	}
	return most
}

// isExplained reports whether the cause of a workload is about its pods in a state.
func isExplained(state audit.State) bool {
	return state == audit.Missing || state == audit.Stale || state == audit.Unexpected
}

// inShort returns why a pod is in its state, in few words.
func inShort(row *audit.Row) string {
	switch {
	case row.State == audit.Current:
		return ""
	case len(row.Fields) == 0:
		return withCode(row.Reason, row.Message)
	}
	const most = 2
	var parts []string
	for _, field := range row.Fields {
		parts = append(parts, fieldInShort(field))
	}
	return strings.Join(page.Few(parts, most, "%d more fields"), "; ")
}

// everything returns all that is known about why a pod is in its state. The group is nil if it is not known.
func everything(row *audit.Row, group *audit.Group) string {
	parts := details(row)
	if group != nil && group.Explanation != "" && isExplained(row.State) {
		parts = slices.Insert(parts, 0, cut(group.Explanation))
	}
	return strings.Join(parts, "; ")
}

// details returns what is known about a pod itself: its reason, fields and infos. Of very many fields, it returns the
// first.
func details(row *audit.Row) []string {
	const most = 20
	var all []string
	if reason := withCode(row.Reason, row.Message); reason != "" {
		all = append(all, reason)
	}
	var fields []string
	for _, field := range row.Fields {
		fields = append(fields, fieldInWords(field.Path, field))
	}
	all = append(all, page.Few(fields, most, "%d more fields")...)
	for _, info := range row.Infos {
		all = append(all, withCode(info.Code, info.Message))
	}
	return all
}

func withCode(code finding.Code, message string) string {
	return page.WithCode(finding.Code(cut(string(code))), cut(message))
}

// fieldInShort returns a field with the end of its path, because the number of a container means little to people.
func fieldInShort(field audit.Field) string {
	path := strings.TrimPrefix(field.Path, "spec.")
	list, rest, isEntry := strings.Cut(path, "]")
	list, _, _ = strings.Cut(list, "[")
	row := pod.InSpec(list)
	isEntry = isEntry && row.Short != "" // of a container or a volume
	name, isNamed := strings.CutPrefix(field.Declared, "{name: ")
	switch {
	case isEntry && rest == "" && isNamed:
		name = name[:max(strings.IndexAny(name+"}", ",}"), 0)]
		if field.IsMissing {
			field.Live = "is not there"
		}
		return row.Noun + " " + cut(name) + " " + field.Live
	case isEntry && strings.HasPrefix(rest, "."):
		path = rest[1:]
	}
	if strings.HasSuffix(path, "image") {
		field.Live, field.Declared = withoutCommonPath(field.Live, field.Declared)
	}
	return fieldInWords(path, field)
}

// withoutCommonPath returns two images without the registry and the path, if these are the same.
func withoutCommonPath(live, declared string) (string, string) {
	name := strings.LastIndexByte(live, '/') + 1
	if strings.HasPrefix(declared, live[:name]) && !strings.Contains(declared[name:], "/") {
		return live[name:], declared[name:]
	}
	return live, declared
}

func fieldInWords(path string, field audit.Field) string {
	path, declared := cut(path), cut(field.Declared)
	if field.IsMissing {
		return fmt.Sprintf("%s is not there, declared %s", path, declared)
	}
	return fmt.Sprintf("%s %s, declared %s", path, cut(field.Live), declared)
}
