package maker

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// ReleaseLabel is the label with the name of the HelmRelease that an object was rendered from, and ReleaseNamespaceLabel
// that with its namespace. Flux's controller writes them, and so do renderers.
const (
	ReleaseLabel          = "helm.toolkit.fluxcd.io/name"
	ReleaseNamespaceLabel = "helm.toolkit.fluxcd.io/namespace"
)

// Rendered says that an object was rendered from a HelmRelease, according to its labels.
type Rendered struct {
	Namespace, Name string // of the release
	File            *finding.File
}

// NewRendered returns what the labels of an object say, or nil if it does not have both.
func NewRendered(object *node.Node, file *finding.File) *Rendered {
	labels := node.Get(object, "metadata", "labels")
	r := Rendered{node.Text(labels, ReleaseNamespaceLabel), node.Text(labels, ReleaseLabel), file}
	if r.Name == "" || r.Namespace == "" {
		return nil
	}
	return &r
}

// Is reports whether a maker is the release.
func (r Rendered) Is(m *Maker) bool {
	isRelease := m.Kind.Group == "helm.toolkit.fluxcd.io"
	return isRelease && m.Object.Name == r.Name && (m.Object.Namespace == r.Namespace || m.Object.Namespace == "")
}
