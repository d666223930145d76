package manifest

import (
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// fewKeys is how many keys are compared with each other. More are looked up in a map.
const fewKeys = 12

// keys records the first repeated key of a mapping, because parsers differ in which value they take, and the first key
// that is not a name.
func (c *treeCheck) keys(m *node.Node) {
	var seen map[string]bool
	if len(m.Content) > 2*fewKeys {
		seen = make(map[string]bool, len(m.Content)/2)
	}
	var traits uint64 // those of the keys so far: a key with another trait is not among them
	for i := 0; i < len(m.Content); i += 2 {
		key := m.Content[i]
		mayBeOdd := key.Tag != node.StrTag || len(key.Value) <= len("false") // which is the longest boolean
		if c.odd == nil && mayBeOdd {
			c.odd = c.checkKey(key)
		}
		if key.Tag == node.MergeTag && i > 0 {
			c.merges = append(c.merges, m)
		}
		if key.Kind != node.ScalarNode || c.repeated != nil {
			continue
		}
		before := traits
		traits |= trait(key.Value)
		if seen == nil && traits == before && node.Index(m, key.Value) < i || seen[key.Value] { // also 1 and "1"
			c.repeated = c.duplicate(key)
		}
		if seen != nil {
			seen[key.Value] = true
		}
	}
}

// trait returns one of 64 bits by the length and some letters of a key.
func trait(key string) uint64 {
	if key == "" {
		return 1
	}
	return 1 << ((len(key) + 5*int(key[0]) + 11*int(key[len(key)-1]) + 23*int(key[len(key)/2])) % 64)
}

// checkKey refuses a key that is not the name of a field as it is written, because the rest of the program compares the
// text of keys.
func (c *treeCheck) checkKey(key *node.Node) error {
	name, isName := node.KeyName(key)
	var problem string
	switch {
	case key.Kind == node.AliasNode:
		problem = fmt.Sprintf("the key *%s is an alias; write out what it stands for", key.Value)
	case !isName:
		problem = fmt.Sprintf("a key is %s; in a Kubernetes object, keys are strings", describe(key))
	case name != key.Value:
		problem = fmt.Sprintf("the key %s is %q to kubectl; write that, or put the key in quotes", key.Value, name)
	default:
		return nil
	}
	return c.errorAt(key, &keyError{problem: problem})
}

// mergedKey refuses a merge key that gives a key which is above it: the merged value wins for kubectl, and not for
// others.
func (c *treeCheck) mergedKey() error {
	for _, m := range c.merges {
		if key := node.RepeatedByMerge(m); key != nil {
			problem := fmt.Sprintf("the key %q is also given by a merge key below it, which overrides it for kubectl, but not for other "+
				"readers; write the merge key above the other keys, or remove one of the two", key.Value)
			return c.errorAt(key, &keyError{problem: problem})
		}
	}
	return nil
}

// checkScalar refuses a value whose text is not what kubectl reads: a namespace could be hidden in it.
func (c *treeCheck) checkScalar(n *node.Node) error {
	if n.Kind != node.ScalarNode || n.Style&node.TaggedStyle == 0 || n.Tag != node.BinaryTag {
		return nil
	}
	return c.errorAt(n, &keyError{problem: "a value is encoded (!!binary); write the text that it stands for"})
}

func (c *treeCheck) duplicate(key *node.Node) error {
	problem := fmt.Sprintf("the key %q is there twice in the same mapping; remove one of them", key.Value)
	return c.errorAt(key, &keyError{problem: problem, isRepeated: true})
}

// keyError reports a key that is there twice, that is no name of a field, or that is not as it is written, like a value
// that is encoded.
type keyError struct {
	problem    string
	isRepeated bool
	repeated   error // about a key that is there twice besides, or nil
}

func (e *keyError) Error() string { return e.problem }

// IsRepeatedKey reports whether the only problem of an item is a key that is there twice.
func IsRepeatedKey(err error) bool {
	e, is := errors.AsType[*keyError](err)
	return is && e.isRepeated
}

// RepeatedKey returns the part of the problem of an item that is about a key that is there twice, or nil.
func RepeatedKey(err error) error {
	if IsRepeatedKey(err) {
		return err
	}
	if e, is := errors.AsType[*keyError](err); is {
		return e.repeated
	}
	return nil
}

// IsOddKey reports whether the only problem of an item is a key that is not a name.
func IsOddKey(err error) bool { return IsKeyError(err) && !IsRepeatedKey(err) }

// IsKeyError reports whether the only problem of an item is a key.
func IsKeyError(err error) bool { return errors.As(err, new(*keyError)) }
