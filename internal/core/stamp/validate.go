package stamp

import (
	"errors"
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Anyone who can write a manifest can write a stamp into it, with the right checksum. So a stamp is compared with what
// injections do.

// maxDepth is how many levels deep the paths of a stamp may lead, and its texts may be nested. Pods have about a dozen
// levels.
const maxDepth = 64

var (
	errForeign = errors.New("it was not written by Pillion")
	errChanged = errors.New("it was changed by hand or cut short")
)

// Validate reports why Parse would refuse the stamp, given its text.
func (s *Stamp) Validate(text string) error {
	if err := validateLength(text); err != nil {
		return err
	}
	return s.validate()
}

func validateLength(text string) error {
	if len(text) > pod.MaxAnnotationBytes {
		return fmt.Errorf("it has %d bytes, and Kubernetes allows %d for all annotations together",
			len(text), pod.MaxAnnotationBytes)
	}
	return nil
}

// validate refuses what no injection does to a pod template: paths that it does not write to, malformed fingerprints,
// and texts that nothing can have replaced.
func (s *Stamp) validate() error {
	if s.Empty() {
		return errForeign
	}
	parts := map[string]int{} // how many were joined to a value
	all := s.Touched()
	for _, at := range all {
		parts[at.Path]++
	}
	for _, at := range all {
		if err := s.validateChange(at, s.Changes[at], parts[at.Path]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stamp) validateChange(at Address, c Change, parts int) error {
	holdsStamp := at.Path == "" || at.Path == "metadata"
	if err := validatePath(at.Path); err != nil && (!holdsStamp || c.Hash != "") {
		return err
	}
	if c.Hash != "" {
		if err := s.validateAdded(at, c.Fingerprint, parts); err != nil {
			return err
		}
	}
	if c.Before == nil {
		return nil
	}
	was, err := ReadText(*c.Before)
	if err == nil && !s.canReplace(at, was) {
		steps := append(Steps(at.Path), at.Key)
		err = fmt.Errorf("it keeps a text of %s, which no injection replaces", strings.Join(steps, "."))
	}
	return err
}

// validatePath makes sure that injections write to a path, and that no other spelling leads to the same address.
func validatePath(path string) error {
	if depth := 1 + strings.Count(path, "/"); depth > maxDepth {
		return fmt.Errorf("it has a path of %d levels; the most is %d", depth, maxDepth)
	}
	inSpec := path == "spec" || strings.HasPrefix(path, "spec/")
	inMetadata := path == labelsPath || path == annotationsPath
	isEscaped := strings.Count(path, "~") == strings.Count(path, "~0")+strings.Count(path, "~1")
	if !isEscaped || !inSpec && !inMetadata {
		return errForeign
	}
	return nil
}

// emptyList is the fingerprint of a list without entries.
var emptyList = hashOf(node.Sequence())

// validateAdded makes sure that nothing is named as a whole that injectors only put something into.
func (s *Stamp) validateAdded(at Address, f Fingerprint, parts int) error {
	if pod.At(at.Path).Child(at.Key).IsKeyed() && f.Hash != emptyList ||
		at.Path == annotationsPath && IsKey(at.Key) ||
		isEntryKey(at.Path, at.Key) || !isHash(f.Hash) || isValueOfVariable(at.Path) {
		return errForeign
	}
	return s.validatePart(at, f, parts)
}

// isEntryKey reports whether a field is the key of the entry at a path, such as the name of a container. It comes and
// goes with the entry.
func isEntryKey(path, key string) bool {
	row := pod.At(AddressOf(path).Path)
	return row.IsKeyed() && row.Key(node.Mapping(node.String(key), node.String("1"))) != ""
}

func isHash(text string) bool {
	return len(text) == hashBytes && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// canReplace reports whether an injection can have replaced something: a label or an annotation, an entry of a list
// that spec.onConflict is about and that has a new entry of the same key, or something empty.
func (s *Stamp) canReplace(at Address, was *node.Node) bool {
	switch {
	case at.Path == annotationsPath && IsKey(at.Key):
		return false
	case pod.At(at.Path).Taken.Replace:
		return KeyOf(at.Path, was) == at.Key && was.Kind == node.MappingNode && s.Adds(at.Path, at.Key)
	case at.Key == valueKey && s.IsJoined(AddressOf(at.Path)):
		return node.IsString(was) || node.IsNull(was)
	case isValueOfVariable(at.Inside()):
		return node.IsNull(was) && s.Adds(at.Path, at.Key)
	case at.Path == labelsPath, at.Path == annotationsPath:
		return was.Kind == node.ScalarNode
	default:
		return IsEmpty(was) && (node.IsNull(was) || isKindAt(at.Inside(), was.Kind))
	}
}

// isKindAt reports whether an address in a pod template can hold a mapping, or a list, as far as that is known.
func isKindAt(path string, kind node.Kind) bool {
	switch {
	case path == "metadata", path == labelsPath, path == annotationsPath:
		return kind == node.MappingNode
	case pod.At(path).IsKeyed():
		return kind == node.SequenceNode
	default:
		return true
	}
}
