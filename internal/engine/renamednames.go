package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/rename"
)

// payloadNames are the names of objects in a payload.
type payloadNames struct {
	byKind map[string]*rename.Names
	inside map[injector.ObjectName]bool // with the containers and volumes that have them
	varies bool                         // whether they have variables
}

func newPayloadNames(in *injector.Injector) payloadNames {
	names := payloadNames{byKind: map[string]*rename.Names{}, inside: map[injector.ObjectName]bool{}}
	for _, n := range in.ObjectNames() {
		if names.byKind[n.Kind] == nil {
			names.byKind[n.Kind] = rename.NewNames()
		}
		names.byKind[n.Kind].Add(n.Name)
		names.inside[n] = true
		names.varies = names.varies || in.Varies() && strings.Contains(n.Name+n.Entry, "${")
	}
	return names
}

// payloadNames returns the names of objects in an injector's payload for a pod template.
func (w *workload) payloadNames(m *member, t podtemplate.Template) payloadNames {
	if m.names.varies {
		if in, findings := m.injector.For(w.knownSubject(t, nil)); !finding.HasError(findings) {
			return newPayloadNames(in)
		}
	}
	return m.names
}

// without returns references, without those whose names are in the payload and those that are found already.
func (n payloadNames) without(references []podtemplate.Reference, found []renamed) []podtemplate.Reference {
	isFound := map[*yaml.Node]bool{}
	for _, r := range found {
		isFound[r.Node] = true
	}
	return slices.DeleteFunc(references, func(r podtemplate.Reference) bool {
		return isFound[r.Node] || n.byKind[r.Kind].Has(r.Node.Value)
	})
}

// compareNames returns the references whose names kustomize made of those in an injector's payload.
func (w *workload) compareNames(m *member, references referenceSet, names payloadNames) []renamed {
	var found []renamed
	for _, r := range references.all {
		if names.byKind[r.Kind].Has(r.Node.Value) {
			continue
		}
		if name := w.nameBefore(r, names); name != "" && !references.has(r.Kind, name) {
			found = append(found, renamed{r, name, m})
		}
	}
	return found
}

// nameBefore returns which of the payload's names kustomize changed into that of a reference, or "". A name that the payload
// has in the same container or volume comes first, and then the longest one.
func (w *workload) nameBefore(r podtemplate.Reference, names payloadNames) string {
	given := rename.Name{
		Name: r.Node.Value, Owner: w.result.Object.Name, Has: func(name string) bool { return w.holds(r.Kind, name) },
	}
	from := given.From(names.byKind[r.Kind])
	if len(from) == 0 {
		return ""
	}
	entry := r.Entry()
	isInside := func(name string) bool {
		return names.inside[injector.ObjectName{Kind: r.Kind, Name: name, Entry: entry}]
	}
	return from[max(slices.IndexFunc(from, isInside), 0)]
}

// holds reports whether the stream has an object that the workload can refer to.
func (w *workload) holds(kind, name string) bool {
	return w.run.objects().has(kind, name, w.result.Object.Namespace)
}

// setWhoKeeps sets the injector of the references that keep their names because the payload still has the old ones.
func (n payloadNames) setWhoKeeps(m *member, found []renamed) {
	for i, r := range found {
		if n.byKind[r.Kind].Has(r.name) {
			found[i].by = m
		}
	}
}
