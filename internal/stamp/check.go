package stamp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// A stamp comes with the manifest, and whoever writes the one can write the other: its checksum says
// nothing about who wrote it. Check therefore holds what it says against what injections do.

// maxDepth is how many levels deep the paths of a stamp may lead, and the texts in it may be nested. Those of pods
// have about a dozen; the rest is for JSON in annotations.
const maxDepth = 64

var errForeign = errors.New("it is not what Pillion writes")

// Check refuses what no injection does to a pod template: places that it does not write to, fingerprints
// that are none, and texts that nothing can have replaced.
func (s *Stamp) Check() error {
	if s.Empty() {
		return errForeign
	}
	return errors.Join(s.checkAdded(), s.checkWas(), s.checkCut())
}

// CheckText refuses a stamp that Parse would not accept, by its own text.
func (s *Stamp) CheckText(text string) error {
	if err := checkLength(text); err != nil {
		return err
	}
	return s.Check()
}

func checkLength(text string) error {
	if len(text) > MaxBytes {
		return fmt.Errorf("it has %d bytes, and Kubernetes takes %d for all annotations together", len(text), MaxBytes)
	}
	return nil
}

// checkPath makes sure that a path leads to where injections write, and that it is the only one that
// leads there.
func checkPath(path string) error {
	if depth := 1 + strings.Count(path, "/"); depth > maxDepth {
		return fmt.Errorf("it names a place %d levels deep, and the most is %d", depth, maxDepth)
	}
	if strings.Contains(path, "~") {
		again := ""
		for _, step := range split(path) {
			again = join(again, step)
		}
		if again != path {
			return errForeign
		}
	}
	if annotation, inside := inObject(path); inside && IsKey(annotation) {
		return errForeign // no stamp speaks of stamps
	}
	inSpec := path == "spec" || strings.HasPrefix(path, "spec/")
	inMetadata := path == labelsPath || path == annotationsPath || strings.HasPrefix(path, annotationsPath+"/")
	if !inSpec && !inMetadata {
		return errForeign
	}
	return nil
}

// noEntries is the fingerprint of a list that was put in and is empty.
var noEntries = hashOf(&yaml.Node{Kind: yaml.SequenceNode})

// checkAdded makes sure that nothing is named whole that injectors only put something into.
func (s *Stamp) checkAdded() error {
	for path, prints := range s.Added {
		if err := checkPath(path); err != nil || len(prints) == 0 {
			return errors.Join(err, errNothing(len(prints)))
		}
		for key, p := range prints {
			byFields := p.Fields != nil
			whole := isList(join(path, key)) && p.Whole != noEntries
			if byFields != isContainers(path) || whole || path == annotationsPath && IsKey(key) || !p.isWellFormed() {
				return errForeign
			}
		}
	}
	return nil
}

func errNothing(entries int) error {
	if entries == 0 {
		return errForeign
	}
	return nil
}

// isWellFormed tells whether it is a fingerprint at all. One of no fields would be of any container.
func (p Print) isWellFormed() bool {
	if p.Place != "" && p.Place != before && !strings.HasPrefix(p.Place, behind) {
		return false
	}
	if p.Fields == nil {
		return isHash(p.Whole)
	}
	for field, hash := range p.Fields {
		if field == "" || !isHash(hash) {
			return false
		}
	}
	return len(p.Fields) > 0
}

func isHash(text string) bool {
	return len(text) == hashBytes && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

// checkWas makes sure that each text is one that could have stood where it is said to.
func (s *Stamp) checkWas() error {
	for path, texts := range s.Was {
		if path != "" && path != "metadata" {
			if err := checkPath(path); err != nil {
				return err
			}
		}
		if len(texts) == 0 {
			return errForeign
		}
		for key, text := range texts {
			was, err := readAt(path, text)
			if err != nil {
				return err
			}
			if !s.canReplace(path, key, was) {
				return fmt.Errorf("it keeps a text for %s, where no injection replaces any", shown(path, key))
			}
		}
	}
	return nil
}

// canReplace tells whether an injection can have replaced something: a label, an annotation or what is in one,
// an entry of one of the lists that spec.onConflict is about, which another took the place of, or what was empty.
func (s *Stamp) canReplace(path, key string, was *yaml.Node) bool {
	_, inAnnotation := inObject(path)
	switch {
	case path == annotationsPath && IsKey(key):
		return false
	case isReplaceable(path):
		return KeyOf(last(path), was) == key && was.Kind == yaml.MappingNode && s.Adds(path, key)
	case path == labelsPath, path == annotationsPath:
		return was.Kind == yaml.ScalarNode
	case inAnnotation:
		return true
	default:
		return isEmpty(was) && isOf(kindAt(join(path, key)), was)
	}
}

// kindAt is what a place must hold so that a pod can be worked on: a list or a mapping. It is 0 where that is not known.
func kindAt(path string) yaml.Kind {
	switch {
	case path == "metadata", path == labelsPath, path == annotationsPath:
		return yaml.MappingNode
	case isList(path):
		return yaml.SequenceNode
	default:
		return 0
	}
}

func isOf(kind yaml.Kind, n *yaml.Node) bool { return kind == 0 || node.IsNull(n) || n.Kind == kind }

// isReplaceable tells whether injections replace entries of a list.
func isReplaceable(path string) bool {
	return isContainers(path) || path == "spec/volumes" || isMovable(path)
}

// isMovable tells whether injections also take entries out of a list, which then stand elsewhere.
func isMovable(path string) bool {
	return insideContainer(path) && isList(path) && slices.Contains([]string{"env", "volumeMounts", "volumeDevices"}, last(path))
}

func (s *Stamp) checkCut() error {
	for path, entries := range s.Cut {
		if err := checkPath(path); err != nil || len(entries) == 0 {
			return errors.Join(err, errNothing(len(entries)))
		}
		_, inAnnotation := inObject(path)
		for _, entry := range entries {
			cut, err := readAt(path, entry.Text)
			if err != nil || entry.At < 0 || entry.Below < 0 {
				return errForeign
			}
			key := KeyOf(last(path), cut)
			if !inAnnotation && (!isMovable(path) || cut.Kind != yaml.MappingNode || !s.Adds(path, key)) {
				return fmt.Errorf("it keeps an entry of %s, where no injection takes any out", strings.ReplaceAll(path, "/", "."))
			}
		}
	}
	return nil
}

// shown is a place for people.
func shown(path, key string) string { return strings.Join(append(split(path), key), ".") }
