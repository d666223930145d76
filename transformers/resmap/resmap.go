// Package resmap runs Pillion as a transformer in programs that embed kustomize:
//
//	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "overlays/prod")
//	err = resmap.New(sidecars).Transform(built)
//
// It changes the resources as the function does that a kustomization names under transformers. The one difference is the
// time: kustomize changes names, such as those of generated ConfigMaps, after its transformers and before Run returns.
// What the payload names must have its final name here.
package resmap

import (
	api "sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/kiofilter"
)

// Plugin injects sidecars into the resources of a kustomization. The zero value is ready for Config.
type Plugin struct {
	// Report is what the last call of Transform decided, and why.
	Report transformers.Report

	sidecars transformers.Sidecars
}

var _ api.TransformerPlugin = &Plugin{}

// New returns a plugin for injectors that were read already, so that it needs no Config.
func New(sidecars transformers.Sidecars) *Plugin { return &Plugin{sidecars: sidecars} }

// Config reads the injectors, as kustomize has them from the field transformers of a kustomization. The error has all
// findings that are errors.
func (p *Plugin) Config(_ *api.PluginHelpers, config []byte) error {
	sidecars, findings := transformers.Read(transformers.Source{Text: config})
	p.sidecars = sidecars
	return finding.Err(findings)
}

// Transform injects into all resources together. They keep their order and identity. If any finding is an error, no
// resource changes, and Transform returns the errors.
func (p *Plugin) Transform(resources api.ResMap) error {
	if resources == nil {
		return nil
	}
	nodes := make([]*yaml.RNode, resources.Size())
	for i, resource := range resources.Resources() {
		nodes[i] = &resource.RNode
	}
	filter := kiofilter.New(p.sidecars)
	_, err := filter.Filter(nodes)
	p.Report = filter.Report
	return err
}
