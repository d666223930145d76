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
	"slices"

	api "sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/kiofilter"
)

// Plugin injects sidecars into the resources of a kustomization. The zero value is ready for Config.
type Plugin struct {
	// Sidecars are the injectors to run.
	Sidecars transformers.Sidecars
	// Report is what the last call of Transform decided, and why. Its findings begin with the warnings of Config.
	Report transformers.Report

	config []finding.Finding // the findings of Config
}

var _ api.TransformerPlugin = &Plugin{}

// New returns a plugin for injectors that were read already, so that it needs no Config.
func New(sidecars transformers.Sidecars) *Plugin { return &Plugin{Sidecars: sidecars} }

// Config reads the injectors, as kustomize has them from the field transformers of a kustomization. The error has all
// findings that are errors.
func (p *Plugin) Config(_ *api.PluginHelpers, config []byte) error {
	p.Sidecars, p.config = transformers.Read(transformers.Source{Text: config})
	return finding.Err(p.config)
}

// Transform injects into all resources together. They keep their order and identity. If any finding is an error, no
// resource changes, and Transform returns the errors.
func (p *Plugin) Transform(resources api.ResMap) error {
	p.Report = transformers.Report{}
	if resources == nil {
		return nil
	}
	nodes := make([]*yaml.RNode, resources.Size())
	for i, resource := range resources.Resources() {
		nodes[i] = &resource.RNode
	}
	filter := kiofilter.New(p.Sidecars)
	_, err := filter.Filter(nodes)
	p.Report = filter.Report
	p.Report.Findings = slices.Concat(p.config, p.Report.Findings)
	return err
}
