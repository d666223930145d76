package node

import "slices"

// Equal reports whether two nodes have the same value. Quotes, the order of keys, comments, keys that are null and aliases do not
// matter; the order of lists and the types of scalars do.
func Equal(a, b *Node) bool {
	a, b = Resolve(a), Resolve(b)
	if a == b {
		return true
	}
	if IsNull(a) || IsNull(b) {
		return IsNull(a) && IsNull(b)
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case MappingNode:
		return equalMappings(a, b)
	case SequenceNode, DocumentNode:
		return slices.EqualFunc(a.Content, b.Content, Equal)
	default: // 0x10 and 16 are one number, yes and true are one boolean, and .nan is the only one that is not equal to itself
		return IsString(a) == IsString(b) && (a.Value == b.Value || !IsString(a) && Scalar(a) == Scalar(b))
	}
}

// equalMappings treats a key with the value null like a missing key.
func equalMappings(a, b *Node) bool {
	inA, inB := Values(a), Values(b)
	for key, value := range Fields(a) {
		if !Equal(value, inB.Get(key)) {
			return false
		}
	}
	for key, value := range Fields(b) {
		if inA.Get(key) == nil && !IsNull(value) {
			return false
		}
	}
	return true
}

// Shared counts the nodes at the front and at the back of two lists that are the same ones, not just equal. Whatever changed is
// in between.
func Shared(a, b []*Node) (front, back int) {
	most := min(len(a), len(b))
	for front < most && a[front] == b[front] {
		front++
	}
	for back < most-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front, back
}
