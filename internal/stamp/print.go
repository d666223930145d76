package stamp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Print is the fingerprint of something that was put in: of the whole, or of each field of a
// container, so that it can be told which of them a person changed.
type Print struct {
	Whole  string
	Fields map[string]string
	// Place is where in its list the entry went: behind all of the app's entries where it is
	// empty, before them for "<", and for ">KEY" behind the entry of that key.
	Place string
}

const (
	placeField = "@" // no field of a container is called that
	before     = "<"
	behind     = ">"
)

// UnmarshalJSON reads a text for a whole, and a mapping for fields.
func (p *Print) UnmarshalJSON(text []byte) error {
	var whole string
	if json.Unmarshal(text, &whole) == nil {
		if at := strings.IndexAny(whole, before+behind); at >= 0 {
			whole, p.Place = whole[:at], whole[at:]
		}
		p.Whole = whole
		return nil
	}
	if err := json.Unmarshal(text, &p.Fields); err != nil || p.Fields == nil {
		return errors.New("a fingerprint is a text, or texts by field")
	}
	p.Place = p.Fields[placeField]
	delete(p.Fields, placeField)
	return nil
}

// Same tells whether two fingerprints are of the same content, wherever it stands.
func (p Print) Same(other Print) bool {
	return p.Whole == other.Whole && maps.Equal(p.Fields, other.Fields)
}

// Changed are the fields in which a node differs from what the fingerprint was taken of. Where
// the fingerprint is of the whole, the one field is empty.
func (p Print) Changed(n *yaml.Node) []string {
	if p.Fields == nil {
		if hashOf(n) == p.Whole {
			return nil
		}
		return []string{""}
	}
	now := fieldHashes(n)
	var changed []string
	for field, was := range p.Fields {
		if now[field] != was {
			changed = append(changed, field)
		}
	}
	for field := range now {
		if _, known := p.Fields[field]; !known {
			changed = append(changed, field)
		}
	}
	slices.Sort(changed)
	return changed
}

// isForeign tells whether a container has nothing in common with what the fingerprint was taken of.
// One that differs in a single field is merely changed.
func (p Print) isForeign(n *yaml.Node) bool {
	now := fieldHashes(n)
	for field, was := range p.Fields {
		if now[field] == was {
			return false
		}
	}
	return p.Fields != nil && len(p.Changed(n)) > min(1, len(p.Fields))
}

func fieldHashes(n *yaml.Node) map[string]string {
	fields := make(map[string]string, len(n.Content)/2)
	value := node.Values(n)
	for _, key := range node.Keys(n) {
		if value := value(key); key != "name" && !node.IsNull(value) { // by its name it is known
			fields[key] = hashOf(value)
		}
	}
	return fields
}

// hashBytes is enough to see a change; nobody gains by making one that is not seen.
const hashBytes = 6

// hashOf is a short hash of what a node says to Kubernetes: nodes that node.Equal takes for
// equal have equal hashes.
func hashOf(n *yaml.Node) string {
	const room = 512
	sum := sha256.Sum256(node.AppendCanonical(make([]byte, 0, room), n))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:hashBytes]
}
