// Package rename recognises the names that kustomize gives to objects: [prefix]name[suffix][-hash]. kustomize changes a name, and
// the references to it, after its functions have run, so a reference in a manifest that it built differs from the config.
package rename

import (
	"slices"
	"strings"
)

// maxName is Kubernetes' limit on names. It also limits the time that a comparison takes.
const maxName = 253

// Name is a name in a manifest that kustomize may have made of another one.
type Name struct {
	Name  string
	Owner string // the name of the workload that refers to it
	// Has reports whether the stream has an object of this name, of the kind and in the namespace that are referred to.
	Has func(name string) bool
}

// Names are the names that objects of one kind have in a config.
type Names struct {
	has     map[string]bool
	lengths [maxName + 1]bool // of the names, so that a search takes little time, however many names there are
}

// NewNames returns a set of names.
func NewNames(names ...string) *Names {
	set := &Names{has: map[string]bool{}}
	for _, name := range names {
		set.Add(name)
	}
	return set
}

// Add adds a name to the set.
func (s *Names) Add(name string) {
	s.has[name] = true
	if len(name) <= maxName {
		s.lengths[len(name)] = true
	}
}

// Has reports whether a name is in the set. A nil set is empty.
func (s *Names) Has(name string) bool { return s != nil && s.has[name] }

// From returns the given names of which kustomize may have made the name, the longest first. The affixes must be those of the
// workload's own name, which gets the same ones unless it comes from another directory than the object. Other affixes need the
// object itself as evidence. If the stream has an object of the given name instead, kustomize has not renamed that.
func (n Name) From(given *Names) []string {
	if given == nil || len(n.Name) > maxName {
		return nil
	}
	var found []string
	for length := len(n.Name) - 1; length > 0; length-- {
		if !given.lengths[length] {
			continue
		}
		found = n.appendFrom(found, n.Name, length, given)
		if without := WithoutHash(n.Name); without != n.Name {
			found = n.appendFrom(found, without, length, given)
		}
	}
	return found
}

// appendFrom adds the given names of a length in the rest of the name: without a hash, or all of it.
func (n Name) appendFrom(found []string, rest string, length int, given *Names) []string {
	for at := 0; at+length <= len(rest); at++ {
		prefix, name, suffix := rest[:at], rest[at:at+length], rest[at+length:]
		areOwners := n.areOwners(prefix, suffix)
		if (areOwners || areSeparate(prefix, suffix)) && given.has[name] && !slices.Contains(found, name) && n.isLikely(name, areOwners) {
			found = append(found, name)
		}
	}
	return found
}

// isLikely reports whether the objects of the stream allow that kustomize made the name of the given one.
func (n Name) isLikely(given string, hasOwnersAffixes bool) bool {
	if hasOwnersAffixes {
		return n.Has(n.Name) || !n.Has(given)
	}
	return n.Has(n.Name) && !n.Has(given)
}

// areOwners reports whether the workload's name has the affixes as well.
func (n Name) areOwners(prefix, suffix string) bool {
	affixes := len(prefix) + len(suffix)
	return affixes == 0 || affixes < len(n.Owner) && strings.HasPrefix(n.Owner, prefix) && strings.HasSuffix(n.Owner, suffix)
}

// areSeparate reports whether a dash or a dot separates the affixes from the name.
func areSeparate(prefix, suffix string) bool {
	return (prefix == "" || isSeparator(prefix[len(prefix)-1])) && (suffix == "" || isSeparator(suffix[0]))
}

func isSeparator(c byte) bool { return c == '-' || c == '.' }

// Affixes are what kustomize puts around the names of objects.
type Affixes struct{ Prefix, Suffix string }

// AffixesOf returns the affixes that kustomize may have put around a name, including none. They end and begin at dashes and dots,
// and there are at most three on each side, because more layers are rare and each combination may be tried.
func AffixesOf(name string) []Affixes {
	const most = 3
	prefixes, suffixes := []string{""}, []string{""}
	for i := range name {
		if isSeparator(name[i]) && len(prefixes) <= most {
			prefixes = append(prefixes, name[:i+1])
		}
		if at := len(name) - 1 - i; isSeparator(name[at]) && len(suffixes) <= most {
			suffixes = append(suffixes, name[at:])
		}
	}
	var all []Affixes
	for _, prefix := range prefixes {
		for _, suffix := range suffixes {
			if len(prefix)+len(suffix) < len(name) {
				all = append(all, Affixes{prefix, suffix})
			}
		}
	}
	return all
}

// AffixesAround returns the affixes that kustomize put around the given name to make the other one.
func AffixesAround(given, name string) Affixes {
	prefix, suffix, _ := strings.Cut(WithoutHash(name), given)
	return Affixes{prefix, suffix}
}

// Remove returns a name without the affixes, if it has both, and without a hash.
func (a Affixes) Remove(name string) string {
	name = WithoutHash(name)
	if len(a.Prefix)+len(a.Suffix) < len(name) && strings.HasPrefix(name, a.Prefix) && strings.HasSuffix(name, a.Suffix) {
		return name[len(a.Prefix) : len(name)-len(a.Suffix)]
	}
	return name
}

// WithoutHash returns a name without the hash of the content that kustomize's generators append, or the name itself if it ends in
// none.
func WithoutHash(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 && isHash(name[i+1:]) {
		return name[:i]
	}
	return name
}

// isHash reports whether a suffix is a hash of kustomize's: ten characters that spell no word.
func isHash(suffix string) bool {
	return len(suffix) == 10 && strings.Trim(suffix, "2456789bcdfghkmt") == ""
}
