package maker

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Directory is one of a repository.
type Directory struct {
	// URL is that of the repository. It is empty if an object says which one it is, see Source.
	URL    string
	Source Source
	Path   string
	// IsArgo is whether Argo CD reads it, which takes a directory with a chart for one.
	IsArgo bool
}

// The fields that may change pods on their way from a directory.
var (
	fluxChanges = []string{
		"spec.patches", "spec.patchesStrategicMerge", "spec.patchesJson6902", "spec.images", "spec.components",
		"spec.postBuild", "spec.targetNamespace", "spec.namePrefix", "spec.nameSuffix", "spec.decryption",
	}
	argoChanges = []string{"kustomize", "helm", "plugin", "directory.jsonnet"}
)

// readDirectories reads from which directories of repositories the pods are made, and what may change them on the way.
func (m *Maker) readDirectories(object *node.Node) {
	if m.Kind.Name == "Kustomization" {
		m.readFlux(object)
		return
	}
	all := node.List(object, "spec", "sources")
	if source := at(object, "spec.source"); source != nil {
		all = append(slices.Clone(all), source)
	}
	for _, source := range all {
		m.readArgo(source)
	}
	if hydrator := at(object, "spec.sourceHydrator"); hydrator != nil { // it writes into another branch
		m.Changes = append(m.Changes, "spec.sourceHydrator")
		m.From = cmp.Or(m.From, joined(text(hydrator, "drySource.repoURL"), text(hydrator, "drySource.path")))
	}
}

func (m *Maker) readFlux(object *node.Node) {
	d := Directory{
		Source: Source{
			Kind:      text(object, "spec.sourceRef.kind"),
			Namespace: cmp.Or(text(object, "spec.sourceRef.namespace"), m.Object.Namespace),
			Name:      text(object, "spec.sourceRef.name"),
		},
		Path: text(object, "spec.path"),
	}
	m.Directories = []Directory{d}
	m.Changes = setFields(object, fluxChanges)
	m.From = cmp.Or(d.Path, "./")
}

// readArgo reads one of the sources of an Application. One that only others take files from makes no pods.
func (m *Maker) readArgo(source *node.Node) {
	switch {
	case text(source, "chart") != "":
		m.Changes = append(m.Changes, "chart")
		return
	case text(source, "path") == "" && text(source, "ref") != "":
		return
	}
	d := Directory{URL: text(source, "repoURL"), Path: text(source, "path"), IsArgo: true}
	m.Directories = append(m.Directories, d)
	m.Changes = append(m.Changes, setFields(source, argoChanges)...)
	m.From = cmp.Or(m.From, joined(d.URL, d.Path))
}

// setFields returns which of the fields an object has.
func setFields(object *node.Node, fields []string) []string {
	isUnset := func(field string) bool { return node.IsNull(at(object, field)) }
	return slices.DeleteFunc(slices.Clone(fields), isUnset)
}
