package stamp

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Fingerprint shows whether something that was put in is still the same.
type Fingerprint struct {
	// Hash is a short hash of its meaning.
	Hash string
	// IsPart is set for a text that was joined to what the app has, and InFront if that was in front of it.
	IsPart, InFront bool
}

// frontSide and backSide say on which side a text was joined.
const frontSide, backSide = '<', '>'

func (f Fingerprint) side() byte {
	if f.InFront {
		return frontSide
	}
	return backSide
}

// Hashes returns the hashes of what an injector puts in. The zero value knows no names that the injector declares.
type Hashes struct {
	Declared pod.Declared
	// known is the hashes of nodes that do not change, such as those of a payload that goes into thousands of pods.
	known map[*node.Node]string
}

// Add adds the hash of an entry of a list of the pod spec, which must not change any more.
func (h *Hashes) Add(list string, entry *node.Node) {
	if h.known == nil {
		h.known = map[*node.Node]string{}
	}
	h.known[entry] = h.of(InSpec(list, ""), entry)
}

// of returns the hash of a thing.
func (h Hashes) of(at Address, n *node.Node) string {
	if hash, known := h.known[n]; known {
		return hash
	}
	row := rowOf(at)
	names := row.Names(n)
	if len(names) == 0 {
		return hashOf(n)
	}
	return hashOf(withoutNames(row, n, names))[:contentHash] + namesHash(names, h.Declared.Has)
}

// contentHash is the part of the hash of something with names of other objects that does not depend on these. kustomize
// changes them, and a removal does not know what the config declared. The rest is a hash of the names that the injector
// declares.
const contentHash = hashBytes / 2

func namesHash(names []pod.Name, counts func(pod.Name) bool) string {
	var text []byte
	for _, name := range names {
		if counts(name) {
			text = append(append(text, name.Node.Value...), 0)
		}
	}
	return shortHash(text)[contentHash:]
}

// unnamed takes the place of names that do not count.
var unnamed = node.String("")

func withoutNames(row *pod.Row, n *node.Node, names []pod.Name) *node.Node {
	by := make(map[*node.Node]*node.Node, len(names))
	for _, name := range names {
		by[name.Node] = unnamed
	}
	without := node.Replaced(n, func(n *node.Node) *node.Node { return by[n] })
	if len(row.Names(without)) > 0 { // the rest are in aliases
		n = node.Fresh(n)
		return withoutNames(row, n, row.Names(n))
	}
	return without
}

func rowOf(at Address) *pod.Row { return pod.At(at.Path).Child(at.Key) }

// IsOf reports whether it is the fingerprint of a thing, whatever the names of other objects are in it.
func (f Fingerprint) IsOf(at Address, n *node.Node) bool {
	row := rowOf(at)
	names := row.Names(n)
	if len(names) == 0 {
		return hashOf(n) == f.Hash
	}
	return hashOf(withoutNames(row, n, names))[:contentHash] == f.Hash[:contentHash]
}

// HasNames reports whether a thing has the names of other objects that it had when it was put in, given those that are
// declared now. A name that is not declared was so before, or is one of the app that a sidecar took over.
func (f Fingerprint) HasNames(at Address, n *node.Node, declared pod.Declared) bool {
	all := func(pod.Name) bool { return true }
	return f.Declares(at, n, declared) || f.Hash[contentHash:] == namesHash(rowOf(at).Names(n), all)
}

// Declares reports whether the declared names in a thing are those that were declared when it was put in.
func (f Fingerprint) Declares(at Address, n *node.Node, declared pod.Declared) bool {
	names := rowOf(at).Names(n)
	return len(names) == 0 || f.Hash[contentHash:] == namesHash(names, declared.Has)
}

// DeclaresLike reports whether another fingerprint of the same thing has the same declared names.
func (f Fingerprint) DeclaresLike(other Fingerprint) bool {
	return f.Hash[contentHash:] == other.Hash[contentHash:]
}

// Refers reports whether there may be names of other objects in a thing.
func Refers(at Address) bool { return rowOf(at).RefersInside() }

// SameNames reports whether two versions of a thing refer to objects of the same names.
func SameNames(at Address, a, b *node.Node) bool {
	isSame := func(a, b pod.Name) bool { return a.Node.Value == b.Node.Value }
	return slices.EqualFunc(rowOf(at).Names(a), rowOf(at).Names(b), isSame)
}

// hashBytes is enough to notice a change, and to tell apart entries without a key: the 36 bits of six characters of
// base64 confuse two of a list of a hundred once in ten million times. What has names of other objects keeps half of them
// for the content, which confuses a change with none once in 260,000 times. Nobody gains anything from a change that is
// not noticed.
const hashBytes = 6

// hashOf returns a short hash of the meaning of a node: nodes that are node.Equal have the same hash.
func hashOf(n *node.Node) string {
	const room = 512
	return shortHash(node.AppendCanonical(make([]byte, 0, room), n))
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	var encoded [8]byte
	base64.RawURLEncoding.Encode(encoded[:], sum[:hashBytes])
	return string(encoded[:hashBytes])
}
