// Package glob matches the names of workloads and namespaces, in configs and in flags.
package glob

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// HasWildcard reports whether an entry is a pattern, and not a full name: "*" is any number of characters, "?" is one.
func HasWildcard(entry string) bool { return strings.ContainsAny(entry, "*?") }

// Check returns an error for an entry that is neither a name nor a glob, such as a regular expression.
func Check(entry string) error {
	if !isOther(entry) {
		return nil
	}
	const rule = `is not a glob, in which "*" stands for any number of characters, "?" for one, and the rest for itself`
	if meant := strings.NewReplacer(".*", "*", ".+", "?*").Replace(strings.Trim(entry, "^$")); !isOther(meant) {
		return fmt.Errorf("%q %s; write %q", entry, rule, meant)
	}
	return fmt.Errorf("%q %s; write one entry for each name or glob", entry, rule)
}

func isOther(entry string) bool {
	return strings.ContainsAny(entry, `^$+|()[]{}\`) || strings.Contains(entry, ".*")
}

// List holds names and globs, ready to match.
type List struct {
	names map[string]bool
	globs []string
}

// NewList prepares entries that were checked.
func NewList(entries ...string) List {
	l := List{names: map[string]bool{}}
	for _, entry := range entries {
		if HasWildcard(entry) {
			l.globs = append(l.globs, entry)
		} else {
			l.names[entry] = true
		}
	}
	return l
}

// Match reports whether one of the entries matches all of a name.
func (l List) Match(name string) bool {
	return l.names[name] || slices.ContainsFunc(l.globs, func(glob string) bool {
		matches, err := path.Match(glob, name)
		return matches && err == nil
	})
}
