package maker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Directory is one of a repository.
type Directory struct {
	// Source is the repository, or the object that says which one it is.
	Source Source
	Path   string
	// Namespace is that of what has none there; empty if the object gives it none.
	Namespace string
	// IsArgo is whether Argo CD reads it, which takes a directory with a chart for one.
	IsArgo bool
	// IsPlain is whether all of its files are applied as they are, although it may have a kustomization.
	IsPlain bool
}

// The fields that do not change what is made of the files in a directory. Each other one may.
var (
	plainObject = []string{"apiVersion", "kind", "metadata", "spec", "status"}
	plainFlux   = []string{
		"path", "sourceRef", "prune", "interval", "retryInterval", "timeout", "wait", "dependsOn", "healthChecks",
		"healthCheckExprs", "force", "suspend", "serviceAccountName", "kubeConfig", "deletionPolicy", "commonMetadata",
	}
	plainArgo      = []string{"repoURL", "path", "targetRevision", "ref", "directory"}
	plainDirectory = []string{"recurse", "include", "exclude"}
)

// readDirectories reads from which directories of repositories the pods are made, and what may change them on the way.
func (m *Maker) readDirectories(object *node.Node) {
	others := otherFields("", object, plainObject)
	if m.Kind.Name == "Kustomization" {
		m.readFlux(object)
		others = append(others, otherFields("spec.", at(object, "spec"), plainFlux)...)
	} else {
		others = append(others, m.readApplication(object)...)
	}
	m.Changed = changing(others, "")
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
	m.From = cmp.Or(d.Path, "./")
	if d.Source.Name != "" {
		m.chart = chartOfSource{d.Source, d.Path}
		m.From = joined(d.Source.String(), d.Path)
	}
}

// readApplication reads the sources of an Application, and returns the fields that may change what is made of them.
func (m *Maker) readApplication(object *node.Node) (others []string) {
	namespace := text(object, "spec.destination.namespace")
	if source := at(object, "spec.source"); !node.IsNull(source) {
		others = m.readArgo("spec.source.", namespace, source)
	}
	for i, source := range node.List(object, "spec", "sources") {
		others = append(others, m.readArgo(fmt.Sprintf("spec.sources[%d].", i), namespace, source)...)
	}
	if hydrator := at(object, "spec.sourceHydrator"); hydrator != nil { // it writes into another branch
		others = append(others, "spec.sourceHydrator")
		m.addSource(joined(text(hydrator, "drySource.repoURL"), text(hydrator, "drySource.path")))
		m.InRevision(text(hydrator, "drySource.targetRevision"))
	}
	return others
}

// readArgo reads one of the sources of an Application. One that only others take files from makes no pods.
func (m *Maker) readArgo(field, namespace string, source *node.Node) (others []string) {
	directory := at(source, "directory")
	others = append(otherFields(field, source, plainArgo), otherFields(field+"directory.", directory, plainDirectory)...)
	chart := text(source, "chart")
	path := text(source, "path")
	if chart == "" && path == "" && text(source, "ref") != "" {
		return others
	}
	m.addSource(joined(text(source, "repoURL"), cmp.Or(chart, path)))
	if chart != "" {
		return others
	}
	m.InRevision(text(source, "targetRevision"))
	d := Directory{
		Source:    Source{URL: text(source, "repoURL"), Branch: text(source, "targetRevision")},
		Path:      path,
		Namespace: namespace,
		IsArgo:    true,
		IsPlain:   !node.IsNull(directory),
	}
	m.Directories = append(m.Directories, d)
	return others
}

// otherFields returns which fields of a mapping are set and not among the plain ones, with the path of the mapping in
// front.
func otherFields(path string, of *node.Node, plain []string) []string {
	var others []string
	for key, value := range node.Fields(of) {
		if !slices.Contains(plain, key) && !node.IsNull(value) {
			others = append(others, path+escape.Clip(key, maxText))
		}
	}
	return others
}

// changing returns in words that fields may change what is made, or "" if there are none: spec.images changes what it
// builds.
func changing(fields []string, object string) string {
	const most = 3
	verb := " changes what it builds"
	switch {
	case len(fields) == 0:
		return ""
	case len(fields) > most:
		fields = append(fields[:most:most], fmt.Sprintf("%d more", len(fields)-most))
		fallthrough
	case len(fields) > 1:
		verb = " change what it builds"
	}
	if object != "" {
		object = " of " + object
	}
	return strings.Clone(strings.Join(fields, ", ") + object + verb)
}
