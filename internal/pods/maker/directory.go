package maker

import (
	"cmp"
	"slices"

	"pillion.dev/pillion/internal/text/yaml/node"
)

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
		m.Directories = []Directory{{
			Source: Source{
				Kind:      text(object, "spec.sourceRef.kind"),
				Namespace: cmp.Or(text(object, "spec.sourceRef.namespace"), m.Object.Namespace),
				Name:      text(object, "spec.sourceRef.name"),
			},
			Path: text(object, "spec.path"),
		}}
		m.Changes = setFields(object, fluxChanges)
		m.From = cmp.Or(m.Directories[0].Path, "./")
		return
	}
	all := node.List(object, "spec", "sources")
	if source := at(object, "spec.source"); source != nil {
		all = append(slices.Clone(all), source)
	}
	for _, source := range all {
		if text(source, "chart") != "" || text(source, "path") == "" && text(source, "ref") != "" {
			m.Changes = append(m.Changes, "chart")
			continue
		}
		d := Directory{URL: text(source, "repoURL"), Path: text(source, "path")}
		m.Directories = append(m.Directories, d)
		m.Changes = append(m.Changes, setFields(source, argoChanges)...)
		m.From = cmp.Or(m.From, joined(d.URL, d.Path))
	}
	if at(object, "spec.sourceHydrator") != nil {
		m.Changes = append(m.Changes, "spec.sourceHydrator")
		m.From = cmp.Or(m.From, joined(text(object, "spec.sourceHydrator.drySource.repoURL"), text(object, "spec.sourceHydrator.drySource.path")))
	}
}

// setFields returns which of the fields an object has.
func setFields(object *node.Node, fields []string) []string {
	var set []string
	for _, field := range fields {
		if !node.IsNull(at(object, field)) {
			set = append(set, field)
		}
	}
	return set
}
