package manifest

// interner keeps one copy of each of the few kinds and keys that come again and again.
type interner map[string]string

// maxNames is how many are kept: keys may be anything, kinds are few.
const maxNames = 1024

func (n interner) intern(name []byte) string {
	if known, ok := n[string(name)]; ok {
		return known
	}
	fresh := string(name)
	if len(n) < maxNames {
		n[fresh] = fresh
	}
	return fresh
}
