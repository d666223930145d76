// Package stamp records on a pod template what an injector did to it, in one annotation per
// injector, so that a later run can take exactly that out again. It knows nothing of what a
// sidecar is: a stamp is the difference between two versions of a pod template.
package stamp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// Stamp is what one injector did to one pod template.
type Stamp struct {
	// Added is what it put in: by the path of the mapping or list, the keys in there, each
	// with a fingerprint, by which a change by hand is seen.
	Added map[string]map[string]Print `json:"add,omitempty"`
	// Was is the text that stood in the place of what was put in, or of a mapping or list that
	// was there and empty.
	Was map[string]map[string]string `json:"was,omitempty"`
	// Cut is the entries that were taken out of lists.
	Cut map[string][]Entry `json:"cut,omitempty"`
	// Asked says that the workload waited for the injector, as for a classic Initializer. The
	// request is gone since, and still holds.
	Asked bool `json:"asked,omitempty"`

	entered map[Thing]bool // see enters
}

// Entry is the text of an entry that was taken out of a list, and the index that it had.
type Entry struct {
	At int `json:"at"`
	// Below is how many comments and blank lines stood between it and the entry before it. They stay.
	Below int    `json:"below,omitempty"`
	Text  string `json:"text"`
}

func newStamp() *Stamp {
	return &Stamp{Added: map[string]map[string]Print{}, Was: map[string]map[string]string{}, Cut: map[string][]Entry{}}
}

// Empty tells whether the injector did nothing to the pod template.
func (s *Stamp) Empty() bool { return len(s.Added) == 0 && len(s.Was) == 0 && len(s.Cut) == 0 }

// Adds tells whether a key of a mapping or list is of the injector's making.
func (s *Stamp) Adds(path, key string) bool {
	_, adds := s.Added[path][key]
	return adds
}

const (
	prefix = v1alpha1.Group + "/injected-"
	// longest is Kubernetes' limit on the part of an annotation's key behind the slash.
	longest = 63
)

// Key is the annotation that an injector's stamp is written under. A name that is too long for
// one is shortened, with a hash of the whole.
func Key(injector string) string {
	room := longest - len("injected-")
	if len(injector) <= room {
		return prefix + injector
	}
	const hashed = 8
	return prefix + strings.TrimRight(injector[:room-hashed-1], "-.") + "-" + digest(injector)[:hashed]
}

// IsKey tells whether an annotation is a stamp, whoever's.
func IsKey(annotation string) bool { return strings.HasPrefix(annotation, prefix) }

// NameOf is the injector that a stamp is of, by the annotation's key.
func NameOf(annotation string) string { return strings.TrimPrefix(annotation, prefix) }

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// sealed is a stamp as it is written: its sum tells whether somebody wrote into it.
type sealed struct {
	*Stamp
	Sum string `json:"sum"`
}

// oneLine is the value of a stamp's annotation without the line end that a block of text has.
func oneLine(text string) string { return strings.TrimSuffix(text, "\n") }

// AsWritten is a stamp as it stands in a template where it is the same but for the way that it is
// written, and else as it is.
func AsWritten(template *yaml.Node, key, text string) string {
	if present := node.Text(template, "metadata", "annotations", key); oneLine(present) == text {
		return present
	}
	return text
}

// Of reads the stamps of a pod template by their annotations' keys. What is wrong with one is
// in broken.
func Of(template *yaml.Node) (stamps map[string]*Stamp, broken map[string]error) {
	annotations := node.Get(template, "metadata", "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return nil, nil
	}
	stamps, broken = map[string]*Stamp{}, map[string]error{}
	left := MaxBytes
	for _, key := range node.Keys(annotations) {
		if !IsKey(key) {
			continue
		}
		text := oneLine(node.Text(annotations, key))
		if left -= len(text); left < 0 {
			broken[key] = fmt.Errorf("the stamps have more than %d bytes, which Kubernetes takes for all annotations together", MaxBytes)
			continue
		}
		if s, err := Parse(text); err != nil {
			broken[key] = err
		} else {
			stamps[key] = s
		}
	}
	return stamps, broken
}

// Bytes is how long the stamps of a pod template are together.
func Bytes(template *yaml.Node) int {
	annotations, total := node.Get(template, "metadata", "annotations"), 0
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return 0
	}
	for i := 0; i+1 < len(annotations.Content); i += 2 {
		if value := node.Resolve(annotations.Content[i+1]); IsKey(annotations.Content[i].Value) && value != nil {
			total += len(oneLine(value.Value))
		}
	}
	return total
}
