package maker

import (
	"strings"

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
	Namespace string // of the release
	Name      string
	File      *finding.File // of the object
}

// NewRendered returns what the labels of an object say, or nil if it does not have both.
func NewRendered(object *node.Node, file *finding.File) *Rendered {
	labels := node.Get(object, "metadata", "labels")
	r := Rendered{
		Namespace: strings.Clone(node.Text(labels, ReleaseNamespaceLabel)),
		Name:      strings.Clone(node.Text(labels, ReleaseLabel)),
		File:      file,
	}
	if r.Name == "" || r.Namespace == "" {
		return nil
	}
	return &r
}

// Releases are releases that objects were rendered from.
type Releases map[Rendered]bool

// Add adds the release of an object.
func (r Releases) Add(of Rendered) {
	r[Rendered{Namespace: of.Namespace, Name: of.Name}] = true
}

// Has reports whether a maker is one of the releases. One without a namespace may be in any, and is none of them.
func (r Releases) Has(m *Maker) bool {
	return m.Kind.IsRelease() && r[Rendered{Namespace: m.Object.Namespace, Name: m.Object.Name}]
}
