// Package kiofilter runs Pillion as a filter in kyaml's pipelines, next to other filters and in front of any writer:
//
//	pipeline := kio.Pipeline{
//		Inputs:  []kio.Reader{pkg},
//		Filters: []kio.Filter{kiofilter.New(sidecars)},
//		Outputs: []kio.Writer{pkg},
//	}
//
// Comments and styles are kept as far as kyaml keeps them: its readers and writers normalise indentation and blank
// lines. Programs that have the bytes of their manifests get less noise from package transformers.
package kiofilter

import (
	"cmp"
	"context"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/transformers"
)

// Filter injects sidecars into the nodes of a pipeline.
type Filter struct {
	// Sidecars are the injectors to run.
	Sidecars transformers.Sidecars
	// Context can end a run early. It may be nil.
	Context context.Context //nolint:containedctx // kio.Filter takes none
	// Report is what the last call of Filter decided, and why.
	Report transformers.Report
}

var _ kio.Filter = &Filter{}

// New returns a filter that runs injectors.
func New(sidecars transformers.Sidecars) *Filter { return &Filter{Sidecars: sidecars} }

// Filter injects into all nodes together: they are one stream, as for Apply. It keeps the nodes and their order; a
// node that changes gets a new value. If any finding is an error, no node changes, and Filter returns the errors.
func (f *Filter) Filter(nodes []*yaml.RNode) ([]*yaml.RNode, error) {
	f.Report = transformers.Report{}
	sources := make([]transformers.Source, len(nodes))
	for i, n := range nodes {
		text, err := n.String()
		if err != nil {
			return nil, fmt.Errorf("write node %d: %w", i, err)
		}
		sources[i] = transformers.Source{Text: []byte(text), MayBeEmpty: true}
	}
	result, err := f.Sidecars.Apply(cmp.Or(f.Context, context.Background()), sources...)
	if err != nil {
		return nil, err
	}
	f.Report = result.Report
	if err := f.Report.Err(); err != nil {
		return nil, err
	}
	changed := make([]*yaml.RNode, len(nodes))
	for i, text := range result.Texts {
		if text == nil {
			continue
		}
		if changed[i], err = yaml.Parse(string(text)); err != nil {
			return nil, fmt.Errorf("read node %d: %w", i, err)
		}
	}
	for i, n := range changed {
		if n == nil {
			continue
		}
		value := n.YNode()
		if nodes[i].Document().Kind == yaml.DocumentNode { // which has the comments apart from the object, such as a licence
			value = n.Document()
		}
		nodes[i].SetYNode(value)
	}
	return nodes, nil
}

// Results returns the findings of the report as results of the function specification.
func (f *Filter) Results() (framework.Results, error) {
	results := make(framework.Results, len(f.Report.Findings))
	for i, found := range f.Report.Findings {
		results[i] = &framework.Result{}
		if err := outcome.Result(found).Decode(results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}
