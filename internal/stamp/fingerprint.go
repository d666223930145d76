package stamp

import (
	"crypto/sha256"
	"encoding/base64"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Fingerprint shows whether something that was put in is still the same.
type Fingerprint struct {
	// Hash is a short hash of its meaning.
	Hash string
	// Length is that of a text that was joined to what the app has.
	Length int
	// InFront is set if the text was joined in front of it.
	InFront bool
}

// joinedInFront and joinedBehind say on which side a text was joined.
const frontSide, backSide = '<', '>'

func (f Fingerprint) side() byte {
	if f.InFront {
		return frontSide
	}
	return backSide
}

// Hashes are the hashes of nodes that do not change, such as those of a payload that goes into thousands of pods.
type Hashes map[*yaml.Node]string

// Add adds the hash of a node, which must not change any more.
func (h Hashes) Add(n *yaml.Node) { h[n] = hashOf(n) }

func (h Hashes) of(n *yaml.Node) string {
	if hash, known := h[n]; known {
		return hash
	}
	return hashOf(n)
}

// IsOf reports whether it is the fingerprint of a node.
func (f Fingerprint) IsOf(n *yaml.Node) bool { return f.Hash == hashOf(n) }

// hashBytes is enough to notice a change, and to tell apart entries without a key: the 36 bits of six characters of base64 confuse
// two of a list of a hundred once in ten million times. Nobody gains anything from a change that is not noticed.
const hashBytes = 6

// hashOf returns a short hash of the meaning of a node: nodes that are node.Equal have the same hash. All fingerprints come from it.
func hashOf(n *yaml.Node) string {
	const room = 512
	return shortHash(node.AppendCanonical(make([]byte, 0, room), n))
}

func shortHash(text []byte) string {
	sum := sha256.Sum256(text)
	var encoded [8]byte
	base64.RawURLEncoding.Encode(encoded[:], sum[:hashBytes])
	return string(encoded[:hashBytes])
}
