// Package stamp records what an injector did to a pod template, in one annotation per injector, so that a later run can undo
// exactly that. It knows nothing about sidecars: a stamp is the difference between two versions of a pod template.
//
// It has three operations:
//
//   - [Record] returns the difference between a pod template before and after an injection.
//   - [Undo] removes what stamps name from a pod template, and puts back what was replaced.
//   - [Rebase] gives the parts of a new version that came out the same their old nodes, and with these their text and position.
//
// The rest is about the text of a stamp ([Stamp.String], [Parse]), changes by hand ([Drift]), and comparing stamps.
package stamp

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Stamp is what one injector did to one pod template.
type Stamp struct {
	// Added is what the injector put in: by the path of a mapping or list and the key in it. The fingerprint shows whether
	// somebody has changed it since.
	Added map[string]map[string]Fingerprint
	// Was is the text of what the injector replaced, and of mappings and lists that it filled and that were empty before.
	Was map[string]map[string]string
	// Cut is the entries that the injector removed from lists, by the path of the list.
	Cut map[string][]Entry
	// Grown is the quantities of the pod's own resources that the injector added something to.
	Grown map[string]map[string]Growth
	// Asked is whether the workload had a pending request for the injector, as for a classic Initializer. The injection
	// removed the request, which still counts.
	Asked bool

	entered      map[Thing]bool // see enters
	knowsEntered bool

	joinedWith      map[Thing]string // see separators
	knowsSeparators bool
}

// Entry is an entry that was removed from a list: its index there, and its text.
type Entry struct {
	At int
	// Below is how many comments and blank lines stood between it and the entry before it. They stay in the file.
	Below int
	Text  string
}

// Thing is something in a pod template: a value in the mapping, or an entry of the list, at Path, which has the key Key there.
type Thing struct{ Path, Key string }

// Owner is an injector with its stamp. Key is the annotation that holds the stamp.
type Owner struct {
	Key string
	*Stamp
	// Payload returns the container that the config has now by a name, or nil. It is nil if the config is not known.
	Payload func(container string) *yaml.Node
}

// Empty reports whether the injector did nothing to the pod template.
func (s *Stamp) Empty() bool {
	return len(s.Added) == 0 && len(s.Was) == 0 && len(s.Cut) == 0 && len(s.Grown) == 0
}

// Adds reports whether the injector put in what has a key in the mapping or list at a path.
func (s *Stamp) Adds(path, key string) bool {
	_, adds := s.Added[path][key]
	return adds
}

// Things returns what the injector put in, in order.
func (s *Stamp) Things() []Thing {
	count := 0
	for _, fingerprints := range s.Added {
		count += len(fingerprints)
	}
	all := make([]Thing, 0, count)
	for thing := range each(s.Added) {
		all = append(all, thing)
	}
	return sorted(all)
}

// each returns the things in a part of a stamp with their values, in no particular order.
func each[V any](part map[string]map[string]V) iter.Seq2[Thing, V] {
	return func(yield func(Thing, V) bool) {
		for path, values := range part {
			for key, value := range values {
				if !yield(Thing{path, key}, value) {
					return
				}
			}
		}
	}
}

// with adds a thing with its value to a part of a stamp, which is nil as long as it is empty, and returns the part.
func with[V any](part map[string]map[string]V, at Thing, value V) map[string]map[string]V {
	if part == nil {
		part = map[string]map[string]V{}
	}
	if part[at.Path] == nil {
		part[at.Path] = map[string]V{}
	}
	part[at.Path][at.Key] = value
	return part
}

// cut adds an entry that was removed from the list at a path.
func (s *Stamp) cut(path string, entry Entry) {
	if s.Cut == nil {
		s.Cut = map[string][]Entry{}
	}
	s.Cut[path] = append(s.Cut[path], entry)
}

// added returns what owners put in.
func added(owners []Owner) map[Thing]bool {
	if len(owners) == 0 {
		return nil
	}
	all := map[Thing]bool{}
	for _, o := range owners {
		for thing := range each(o.Added) {
			all[thing] = true
		}
	}
	return all
}

// addedAnew returns what owners put in without replacing something of the app.
func addedAnew(owners []Owner) map[Thing]bool {
	all := added(owners)
	for _, o := range owners {
		for thing := range each(o.Was) {
			delete(all, thing)
		}
	}
	return all
}

func sorted(all []Thing) []Thing {
	slices.SortFunc(all, func(a, b Thing) int { return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key)) })
	return all
}

func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 { // as most parts of stamps are
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}
