// Package rename recognises the names that kustomize gives to objects: [prefix]name[suffix][-hash]. kustomize changes a name, and
// the references to it, after its functions have run, so a reference in a manifest that it built differs from the config.
package rename

import "strings"

// maxName is Kubernetes' limit on names. It also limits the time that a comparison takes.
const maxName = 253

// Name is a name in a manifest that kustomize may have made of another one.
type Name struct {
	Name  string
	Owner string // the name of the workload that refers to it
	// Has reports whether the stream has an object of this name, of the kind and in the namespace that are referred to.
	Has func(name string) bool
}

// IsFrom reports whether kustomize made the name of the given one. The affixes must be those of the workload's own name, which
// gets the same ones unless it comes from another directory than the object. Other affixes need the object itself as evidence.
// If the stream has an object of the given name instead, kustomize has not renamed that.
func (n Name) IsFrom(given string) bool {
	if given == "" || n.Name == given || len(n.Name) > maxName {
		return false
	}
	if n.isForm(given, n.areOwners) {
		return n.Has(n.Name) || !n.Has(given)
	}
	return n.isForm(given, areSeparate) && n.Has(n.Name) && !n.Has(given)
}

// isForm reports whether the name is the given one with a hash, with affixes that are accepted, or with both.
func (n Name) isForm(given string, accept func(prefix, suffix string) bool) bool {
	if WithoutHash(n.Name) == given {
		return true
	}
	for _, rest := range []string{n.Name, WithoutHash(n.Name)} {
		for at := range rest {
			if strings.HasPrefix(rest[at:], given) && rest != given && accept(rest[:at], rest[at+len(given):]) {
				return true
			}
		}
	}
	return false
}

// areOwners reports whether the workload's name has the affixes as well.
func (n Name) areOwners(prefix, suffix string) bool {
	return len(prefix)+len(suffix) < len(n.Owner) && strings.HasPrefix(n.Owner, prefix) && strings.HasSuffix(n.Owner, suffix)
}

// areSeparate reports whether a dash or a dot separates the affixes from the name.
func areSeparate(prefix, suffix string) bool {
	const separators = "-."
	return (prefix == "" || strings.ContainsAny(prefix[len(prefix)-1:], separators)) &&
		(suffix == "" || strings.ContainsAny(suffix[:1], separators))
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
