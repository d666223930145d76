package injector

import (
	"cmp"
	"maps"
	globs "path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/finding"
)

// wildcards are the characters with a meaning in the patterns of namespaces: "*" is any number of characters, "?" is one.
const wildcards = "*?"

// maxNamespacePatterns bounds the patterns of a list, because each is compared with each workload.
const maxNamespacePatterns = 100

// IsNamespacePattern reports whether an entry of namespaces.include or exclude has a wildcard, and is not a full name.
func IsNamespacePattern(entry string) bool { return strings.ContainsAny(entry, wildcards) }

// NamespacePatterns are the entries of namespaces.include or exclude, ready to match.
type NamespacePatterns struct {
	names    map[string]bool
	patterns []string
}

// NewNamespacePatterns prepares entries that were checked.
func NewNamespacePatterns(entries []string) NamespacePatterns {
	p := NamespacePatterns{names: map[string]bool{}}
	for _, entry := range entries {
		if IsNamespacePattern(entry) {
			p.patterns = append(p.patterns, entry)
		} else {
			p.names[entry] = true
		}
	}
	return p
}

// Match reports whether one of the entries matches the name of a namespace. A pattern that matches every namespace also
// matches the empty name, which stands for one that is not known.
func (p NamespacePatterns) Match(namespace string) bool {
	return p.names[namespace] || slices.ContainsFunc(p.patterns, func(pattern string) bool {
		matches, err := globs.Match(pattern, namespace)
		return matches && err == nil
	})
}

// NamespaceOf returns the namespace of a workload, or the one that a workload without a namespace will go to. It is empty if
// neither is known.
func (i *Injector) NamespaceOf(workload *finding.Object) string {
	return cmp.Or(workload.Namespace, i.Spec.DefaultNamespace)
}

// DependsOnNamespace reports whether the injector selects workloads by their namespaces, beyond leaving Kubernetes' own alone.
func (i *Injector) DependsOnNamespace() bool {
	return i.RequiresNamespace() || len(i.Spec.Namespaces.Exclude) > 0
}

// RequiresNamespace reports whether the injector selects only workloads of some namespaces, so that it cannot select one whose
// namespace is not known.
func (i *Injector) RequiresNamespace() bool {
	selector, include := i.Spec.NamespaceSelector, i.Spec.Namespaces.Include
	selects := selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) > 0
	return selects || len(include) > 0 && !NewNamespacePatterns(include).Match("")
}

func (c checker) checkNamespaces() {
	for _, name := range slices.Sorted(maps.Keys(c.spec.NamespaceLabels)) {
		c.checkValid(c.at("namespaceLabels").key(name), name, "namespace name", validation.IsDNS1123Label)
	}
	if name := c.spec.DefaultNamespace; name != "" {
		c.checkValid(c.at("defaultNamespace"), name, "namespace name", validation.IsDNS1123Label)
	}
	at, namespaces := c.at("namespaces"), c.spec.Namespaces
	if !c.checkNamespaceEntries(at.key("include"), namespaces.Include) || !c.checkNamespaceEntries(at.key("exclude"), namespaces.Exclude) {
		return
	}
	for i, entry := range namespaces.Include {
		c.checkIncluded(at.key("include").index(i), entry)
	}
	for i, entry := range namespaces.Exclude {
		if isAll(entry) {
			c.warnf(at.key("exclude").index(i), entry, "%q excludes every namespace, so that nothing is injected; write a narrower pattern",
				entry)
		}
	}
}

// isAll reports whether an entry is a way to write all namespaces.
func isAll(entry string) bool { return entry != "" && strings.Trim(entry, "*") == "" }

// checkIncluded reports an entry of include that has no effect, because exclude or Kubernetes' own namespaces take precedence. A pattern
// that matches one of the latter does not include it; that is not reported if exclude shows that it is intended.
func (c checker) checkIncluded(at path, entry string) {
	included, excluded := NewNamespacePatterns([]string{entry}), NewNamespacePatterns(c.spec.Namespaces.Exclude)
	isPattern := IsNamespacePattern(entry)
	if !isPattern && excluded.Match(entry) || slices.Contains(c.spec.Namespaces.Exclude, entry) {
		c.refusef(at, entry, "the namespace %q is in namespaces.exclude too; remove it from one of them", entry)
		return
	}
	for _, reserved := range c.spec.Namespaces.ReservedNamespaces() {
		if isPattern && !isAll(entry) && included.Match(reserved) && !excluded.Match(reserved) {
			c.warnf(at, entry, "%q does not include %s, because Kubernetes' own namespaces are included only by their full names; "+
				"add %[2]s to namespaces.include or to namespaces.exclude", entry, reserved)
		}
	}
}

// checkNamespaceEntries checks the entries of namespaces.include or exclude, and reports whether all of them were checked.
func (c checker) checkNamespaceEntries(at path, entries []string) bool {
	if patterns := len(NewNamespacePatterns(entries).patterns); patterns > maxNamespacePatterns {
		c.refusef(at, "", "there are %d patterns; the most is %d, so use namespaceSelector instead", patterns, maxNamespacePatterns)
		return false
	}
	for i, entry := range entries {
		c.checkNamespaceEntry(at.index(i), entry)
	}
	return true
}

// checkNamespaceEntry refuses an entry that is neither the name of a namespace nor a pattern for such names.
func (c checker) checkNamespaceEntry(at path, entry string) {
	shown := clip(entry, maxShown)
	switch {
	case strings.HasPrefix(entry, "!"):
		c.refusef(at, entry, "%q: \"!\" negates nothing here; "+
			"namespaces.include lists the namespaces to inject into, and namespaces.exclude those to leave alone", shown)
	case strings.ContainsAny(entry, `^$+|()[]{}\`) || strings.Contains(entry, ".*"):
		c.refusef(at, entry, "%q is not a pattern for namespaces, which are no regular expressions: "+
			`"*" stands for any number of characters and "?" for one, and the rest of a pattern stands for itself`, shown)
	case IsNamespacePattern(entry):
		c.checkValid(at, entry, "pattern for namespaces", isValidPattern)
	default:
		c.checkValid(at, entry, "namespace name", validation.IsDNS1123Label)
	}
}

// isValidPattern is Kubernetes' rule for the names of namespaces, with letters for the wildcards.
func isValidPattern(pattern string) []string {
	return validation.IsDNS1123Label(strings.NewReplacer("*", "a", "?", "a").Replace(pattern))
}
