package pod

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Name is the name of another object, in a field in which kustomize updates it.
type Name struct {
	Kind string // of the object
	Node *node.Node
}

// Names returns the names of other objects in a value, which has this row. Equal values have them in the same order.
func (r *Row) Names(value *node.Node) []Name { return r.appendNames(nil, value) }

func (r *Row) appendNames(all []Name, value *node.Node) []Name {
	value = node.Resolve(value)
	switch {
	case value == nil:
	case r.Refers != "":
		if value.Kind == node.ScalarNode && value.Value != "" {
			all = append(all, Name{r.Refers, value})
		}
	case value.Kind == node.MappingNode:
		for _, field := range r.referring {
			all = r.Child(field).appendNames(all, node.Get(value, field))
		}
	case value.Kind == node.SequenceNode && r.RefersInside():
		for _, entry := range value.Content {
			all = r.Child(anyEntry).appendNames(all, entry)
		}
	}
	return all
}

// NameIn returns the name of another object that a key of an entry of the list has in it, or "".
func (r *Row) NameIn(key string) string {
	if words := strings.Split(key, " "); 0 < r.nameInKey && r.nameInKey <= len(words) {
		return words[r.nameInKey-1]
	}
	return ""
}

// IsRenamedKey reports whether keys of entries of the list differ only in the names in them, and kustomize has probably
// made one of the other: there is a hash, or the affixes are those of the workload. Otherwise it may be an entry of the
// app.
func (r *Row) IsRenamedKey(declared, present, workload string) bool {
	from, to := r.NameIn(declared), r.NameIn(present)
	if from == "" || !IsSameName(from, to, workload) {
		return false
	}
	unhashed := WithoutHash(to)
	prefix, suffix, _ := strings.Cut(unhashed, from)
	if unhashed == to && (!strings.HasPrefix(workload, prefix) || !strings.HasSuffix(workload, suffix)) {
		return false
	}
	words := strings.Split(present, " ")
	words[r.nameInKey-1] = from
	return strings.Join(words, " ") == declared
}

// Declared are the names of other objects in a payload, by kind.
type Declared map[string]map[string]bool

// Add adds the names in a value, which has the row.
func (d Declared) Add(row *Row, value *node.Node) {
	for _, name := range row.Names(value) {
		if d[name.Kind] == nil {
			d[name.Kind] = map[string]bool{}
		}
		d[name.Kind][name.Node.Value] = true
	}
}

// Has reports whether a name is declared.
func (d Declared) Has(name Name) bool { return d[name.Kind][name.Node.Value] }

// HasVariables reports whether there are variables in the names.
func (d Declared) HasVariables() bool {
	for _, names := range d {
		for name := range names {
			if strings.Contains(name, "${") {
				return true
			}
		}
	}
	return false
}

// Find returns the declared name of the same object: the name itself, or the longest of those that kustomize may have
// made it of. It returns "" if there is none.
func (d Declared) Find(name Name, workload string) string {
	if d.Has(name) {
		return name.Node.Value
	}
	found := ""
	for declared := range d[name.Kind] {
		isBetter := len(declared) > len(found) || len(declared) == len(found) && declared < found
		if isBetter && IsSameName(declared, name.Node.Value, workload) {
			found = declared
		}
	}
	return found
}

// maxName is Kubernetes' limit on names. It also limits the time that a comparison takes.
const maxName = 253

// IsSameName reports whether a name is the declared one, or kustomize may have made it of that:
// [prefix]name[suffix][-hash]. The affixes are whole parts between dashes and dots, or those of the name of the
// workload that refers to the object, which gets the same ones.
func IsSameName(declared, name, workload string) bool {
	if declared == "" || len(name) > maxName {
		return false
	}
	for at := 0; at+len(declared) <= len(name); at++ {
		if suffix, found := strings.CutPrefix(name[at:], declared); found && areAffixes(name[:at], suffix, workload) {
			return true
		}
	}
	return false
}

func areAffixes(prefix, suffix, workload string) bool {
	isPrefix := prefix == "" || isSeparator(prefix[len(prefix)-1]) || prefix != workload && strings.HasPrefix(workload, prefix)
	isSuffix := suffix == "" || isSeparator(suffix[0]) || WithoutHash(suffix) != workload && strings.HasSuffix(workload, WithoutHash(suffix))
	return isPrefix && isSuffix
}

func isSeparator(c byte) bool { return c == '-' || c == '.' }

// WithoutHash returns a name without the hash of the content that kustomize's generators append, or the name itself if
// it ends in none.
func WithoutHash(name string) string {
	const hashCharacters, hashLength = "2456789bcdfghkmt", 10 // they spell no word
	if i := strings.LastIndexByte(name, '-'); i > 0 && len(name)-i-1 == hashLength && strings.Trim(name[i+1:], hashCharacters) == "" {
		return name[:i]
	}
	return name
}
