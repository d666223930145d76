package stamp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Fingerprint is the short hash of something that was put in. A container has one hash for each field, which shows the fields
// that a person changed; anything else has one hash for the whole.
type Fingerprint struct {
	Whole  string
	Fields map[string]string
	// Place is where in its list the entry went: empty for behind all entries of the app, "<" for before them, and ">KEY"
	// for behind the entry with that key.
	Place string
}

const (
	placeField  = "@" // the key of the place among the fields of a container; no field has this name
	placeFirst  = "<"
	placeBehind = ">"
)

// fingerprintOf returns the fingerprint of an entry of the list at a path.
func fingerprintOf(path string, entry *yaml.Node, place string) Fingerprint {
	if isContainers(path) {
		return Fingerprint{Fields: fieldHashes(entry), Place: place}
	}
	return Fingerprint{Whole: hashOf(entry), Place: place}
}

// UnmarshalJSON reads a string as the hash of the whole, and an object as the hashes of fields.
func (f *Fingerprint) UnmarshalJSON(text []byte) error {
	var whole string
	if json.Unmarshal(text, &whole) == nil {
		if at := strings.IndexAny(whole, placeFirst+placeBehind); at >= 0 {
			whole, f.Place = whole[:at], whole[at:]
		}
		f.Whole = whole
		return nil
	}
	if err := json.Unmarshal(text, &f.Fields); err != nil || f.Fields == nil {
		return errors.New("a fingerprint must be a string, or an object of strings")
	}
	f.Place = f.Fields[placeField]
	delete(f.Fields, placeField)
	return nil
}

// Changed returns the fields in which two fingerprints differ, sorted. The field is empty for the whole. Places do not count.
func (f Fingerprint) Changed(now Fingerprint) []string {
	if f.Whole != now.Whole || (f.Fields == nil) != (now.Fields == nil) {
		return []string{""}
	}
	var changed []string
	for field, was := range f.Fields {
		if now.Fields[field] != was {
			changed = append(changed, field)
		}
	}
	for field := range now.Fields {
		if _, known := f.Fields[field]; !known {
			changed = append(changed, field)
		}
	}
	slices.Sort(changed)
	return changed
}

// isForeign reports whether a container has nothing in common with what the fingerprint was taken of, given what Changed returned.
// A container that differs only in a single field is changed, not foreign.
func (f Fingerprint) isForeign(changed []string) bool {
	for field := range f.Fields {
		if _, found := slices.BinarySearch(changed, field); !found {
			return false
		}
	}
	return f.Fields != nil && len(changed) > min(1, len(f.Fields))
}

func fieldHashes(n *yaml.Node) map[string]string {
	fields := make(map[string]string, len(n.Content)/2)
	valueOf := node.Values(n)
	for _, key := range node.Keys(n) {
		if value := valueOf(key); key != "name" && !node.IsNull(value) { // the stamp has the name as the key
			fields[key] = hashOf(value)
		}
	}
	return fields
}

// hashBytes is enough to notice a change. Nobody gains anything from a change that is not noticed.
const hashBytes = 6

// hashOf returns a short hash of the meaning of a node: nodes that are node.Equal have the same hash.
func hashOf(n *yaml.Node) string {
	const room = 512
	sum := sha256.Sum256(node.AppendCanonical(make([]byte, 0, room), n))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:hashBytes]
}
