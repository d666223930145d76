package audit

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/rename"
	"pillion.dev/pillion/internal/yaml/node"
)

// reference is a name of an object in a pod spec, and the container or volume that has it.
type reference struct{ kind, name, entry string }

func referencesOf(spec *yaml.Node) []reference {
	var all []reference
	for _, r := range podtemplate.References(spec) {
		all = append(all, reference{r.Kind, r.Node.Value, r.Entry()})
	}
	return all
}

// absentNames are the declared names of objects that a pod does not have.
type absentNames struct {
	byKind map[string]*rename.Names
	inside map[reference]bool
}

func newAbsentNames(declared []reference, found []podtemplate.Reference) absentNames {
	isThere := map[reference]bool{}
	for _, r := range found {
		isThere[reference{kind: r.Kind, name: r.Node.Value}] = true
	}
	absent := absentNames{map[string]*rename.Names{}, map[reference]bool{}}
	for _, r := range declared {
		if isThere[reference{kind: r.kind, name: r.name}] {
			continue
		}
		if absent.byKind[r.kind] == nil {
			absent.byKind[r.kind] = rename.NewNames()
		}
		absent.byKind[r.kind].Add(r.name)
		absent.inside[r] = true
	}
	return absent
}

// withDeclaredNames returns the pod with the declared names of objects where kustomize made others of them, by the rule of the engine: the
// affixes must be those of the workload. A pod that has the declared name as well refers to two objects.
func (s *subject) withDeclaredNames() *yaml.Node {
	spec := node.Get(s.pod.Node, "spec")
	found := podtemplate.References(spec)
	absent := newAbsentNames(s.injection.references, found)
	if len(absent.inside) == 0 {
		return s.pod.Node
	}
	var renamed []podtemplate.Reference
	for _, r := range found {
		if name := absent.nameBefore(r, s.owner.Name); name != "" {
			r.Node = node.String(name)
			renamed = append(renamed, r)
		}
	}
	pod, spec := node.Clone(s.pod.Node), node.Clone(spec)
	podtemplate.SetNames(spec, renamed)
	node.Set(pod, "spec", spec)
	return pod
}

// nameBefore returns the declared name that kustomize may have made that of a reference of, or "". One that is declared in the same
// container or volume comes first.
func (a absentNames) nameBefore(r podtemplate.Reference, owner string) string {
	name := rename.Name{Name: r.Node.Value, Owner: owner, Has: func(string) bool { return false }}
	from := name.From(a.byKind[r.Kind])
	if len(from) == 0 {
		return ""
	}
	isInside := func(name string) bool { return a.inside[reference{r.Kind, name, r.Entry()}] }
	return from[max(slices.IndexFunc(from, isInside), 0)]
}
