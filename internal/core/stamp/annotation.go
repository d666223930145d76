package stamp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxName is Kubernetes' limit on the part of an annotation's key behind the slash.
const maxName = 63

// Key returns the key of the annotation that holds an injector's stamp. A name that is too long is shortened, and ends
// in a hash of the whole name.
func Key(injector string) string {
	room := maxName - len(v1alpha1.StampPrefix[strings.IndexByte(v1alpha1.StampPrefix, '/')+1:])
	if len(injector) <= room {
		return v1alpha1.StampPrefix + injector
	}
	const hashed = 8
	sum := sha256.Sum256([]byte(injector))
	short := strings.TrimRight(injector[:room-hashed-1], "-.")
	return v1alpha1.StampPrefix + short + "-" + hex.EncodeToString(sum[:])[:hashed]
}

// IsKey reports whether an annotation holds a stamp of any injector.
func IsKey(annotation string) bool { return strings.HasPrefix(annotation, v1alpha1.StampPrefix) }

// NameOf returns the name of the injector from the key of its stamp.
func NameOf(annotation string) string { return strings.TrimPrefix(annotation, v1alpha1.StampPrefix) }

// Read returns the stamps of a pod template by the keys of their annotations, and the errors of those that are broken.
func Read(template *node.Node) (stamps map[string]*Stamp, broken map[string]error) {
	bytes := 0
	for key, text := range texts(template) {
		if stamps == nil {
			stamps = map[string]*Stamp{}
			broken = map[string]error{}
		}
		if bytes += len(text); bytes > pod.MaxAnnotationBytes {
			broken[key] = fmt.Errorf("the stamps of the pod template have more than %d bytes, "+
				"which Kubernetes allows for all annotations together", pod.MaxAnnotationBytes)
		} else if s, err := Parse(text); err != nil {
			broken[key] = err
		} else {
			stamps[key] = s
		}
	}
	return stamps, broken
}

// Bytes returns the total length of the stamps of a pod template.
func Bytes(template *node.Node) int {
	total := 0
	for _, text := range texts(template) {
		total += len(text)
	}
	return total
}

// texts returns the texts of the stamps of a pod template by the keys of their annotations.
func texts(template *node.Node) iter.Seq2[string, string] {
	return func(yield func(key, text string) bool) {
		for key, value := range node.Fields(node.Get(template, "metadata", "annotations")) {
			if IsKey(key) && !yield(key, oneLine(node.Text(value))) {
				return
			}
		}
	}
}

// oneLine removes the line end that a block scalar adds to a stamp.
func oneLine(text string) string { return strings.TrimSuffix(text, "\n") }

// AsWritten returns the text of a stamp as it stands in a template, if it differs there only in the line end of a block
// scalar. Otherwise it returns the text as it is.
func AsWritten(template *node.Node, key, text string) string {
	if present := node.Text(template, "metadata", "annotations", key); oneLine(present) == text {
		return present
	}
	return text
}
