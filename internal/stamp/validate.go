package stamp

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/joined"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Anyone who can write a manifest can write a stamp into it, with the right checksum. So a stamp is compared with what
// injections do.

// maxDepth is how many levels deep the paths of a stamp may lead, and its texts may be nested. Pods have about a dozen levels.
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
	if len(text) > podtemplate.MaxAnnotationBytes {
		return fmt.Errorf("it has %d bytes, and Kubernetes allows %d for all annotations together",
			len(text), podtemplate.MaxAnnotationBytes)
	}
	return nil
}

// validate refuses what no injection does to a pod template: paths that it does not write to, malformed fingerprints, and
// texts that nothing can have replaced.
func (s *Stamp) validate() error {
	if s.Empty() {
		return errForeign
	}
	for _, validate := range []func() error{s.validateAdded, s.validateWas, s.validateCut, s.validateGrown} {
		if err := validate(); err != nil {
			return err
		}
	}
	return nil
}

// validatePath makes sure that injections write to a path, and that no other spelling leads to the same place.
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
var emptyList = hashOf(&yaml.Node{Kind: yaml.SequenceNode})

// validateAdded makes sure that nothing is named as a whole that injectors only put something into.
func (s *Stamp) validateAdded() error {
	for path, fingerprints := range s.Added {
		if err := validatePath(path); err != nil || len(fingerprints) == 0 {
			return cmp.Or(err, errForeign)
		}
		variable, separator, isJoined := asJoined(path)
		if isJoined && (s.separators()[variable] != separator || s.Adds(variable.Inside(), valueKey)) || isValueOfVariable(path) {
			return errForeign // a value has one separator, or is whole
		}
		if isJoined && len(fingerprints) > maxParts {
			return fmt.Errorf("it joins %d values to the variable %s; the most is %d", len(fingerprints), variable.Key, maxParts)
		}
		for key, f := range fingerprints {
			isWholeList := pod.At(path).Child(key).IsKeyed() && f.Hash != emptyList
			isStamp := path == annotationsPath && IsKey(key)
			if f.Length > joined.MaxFound {
				return fmt.Errorf("it joins a text of %d bytes to the variable %s; the most is %d", f.Length, variable.Key, joined.MaxFound)
			}
			isWellFormed := isHash(f.Hash) && (f.Length > 0) == isJoined
			if isWholeList || isStamp || isEntryKey(path, key) || !isWellFormed {
				return errForeign
			}
		}
	}
	return nil
}

// isValueOfVariable reports whether a path leads to the value of a variable. That is a text, which has nothing in it but parts.
func isValueOfVariable(path string) bool {
	return insideContainer(path) && last(path) == valueKey && last(ThingAt(ThingAt(path).Path).Path) == "env"
}

// maxParts is how many values an injector may join to one variable: each is searched for in the value.
const maxParts = 100

// isEntryKey reports whether a field is the key of the entry at a path, such as the name of a container. It comes and goes with the
// entry.
func isEntryKey(path, key string) bool {
	return pod.At(ThingAt(path).Path).Key(node.Mapping(node.String(key), node.String("1"))) != ""
}

func isHash(text string) bool {
	return len(text) == hashBytes && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// validateWas makes sure that each text can have been where the stamp says that it was.
func (s *Stamp) validateWas() error {
	for path, texts := range s.Was {
		holdsStamp := path == "" || path == "metadata"
		if err := validatePath(path); err != nil && !holdsStamp || len(texts) == 0 {
			return cmp.Or(err, errForeign)
		}
		for key, text := range texts {
			was, err := readYAML(text)
			if err != nil {
				return err
			}
			if !s.canReplace(Thing{path, key}, was) {
				return fmt.Errorf("it keeps a text of %s, which no injection replaces", strings.Join(append(Steps(path), key), "."))
			}
		}
	}
	return nil
}

// canReplace reports whether an injection can have replaced something: a label or an annotation, an entry of a list that spec.onConflict
// is about and that has a new entry of the same key, or something empty.
func (s *Stamp) canReplace(at Thing, was *yaml.Node) bool {
	switch {
	case at.Path == annotationsPath && IsKey(at.Key):
		return false
	case pod.At(at.Path).Taken.Replace:
		return KeyOf(at.Path, was) == at.Key && was.Kind == yaml.MappingNode && s.Adds(at.Path, at.Key)
	case at.Key == valueKey && s.IsJoined(ThingAt(at.Path)):
		return node.IsString(was) || node.IsNull(was)
	case isValueOfVariable(at.Inside()):
		return node.IsNull(was) && s.Adds(at.Path, at.Key)
	case at.Path == labelsPath, at.Path == annotationsPath:
		return was.Kind == yaml.ScalarNode
	default:
		return isEmpty(was) && (node.IsNull(was) || isKindAt(at.Inside(), was.Kind))
	}
}

// isKindAt reports whether a place in a pod template can hold a mapping, or a list, as far as that is known.
func isKindAt(path string, kind yaml.Kind) bool {
	switch {
	case path == "metadata", path == labelsPath, path == annotationsPath:
		return kind == yaml.MappingNode
	case pod.At(path).IsKeyed():
		return kind == yaml.SequenceNode
	default:
		return true
	}
}

// isMovable reports whether injections remove entries from a list, to put them elsewhere in it.
func isMovable(path string) bool {
	return insideContainer(path) && pod.At(path).Taken.Replace
}

// validateCut makes sure that injections remove such entries from the list.
func (s *Stamp) validateCut() error {
	for path, entries := range s.Cut {
		if err := validatePath(path); err != nil || len(entries) == 0 {
			return cmp.Or(err, errForeign)
		}
		for _, entry := range entries {
			cut, err := readYAML(entry.Text)
			if err != nil || entry.At < 0 || entry.Below < 0 {
				return errForeign
			}
			isMoved := isMovable(path) && cut.Kind == yaml.MappingNode && s.Adds(path, KeyOf(path, cut))
			if !isMoved {
				return fmt.Errorf("it keeps an entry of %s, from which no injection removes any", strings.ReplaceAll(path, "/", "."))
			}
		}
	}
	return nil
}
