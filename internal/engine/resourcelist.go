// Package engine takes each item of a stream through all steps: decide, undo, transform, check, stamp and write. Run does so
// for a ResourceList, Apply for plain manifests.
package engine

import (
	"context"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
)

// Run reads a ResourceList, injects what its functionConfig declares, and writes it. Where the run has failed, the items are
// written as they came, with results that say why. An error means that the input is not a ResourceList, or that the context
// has ended: then nothing is written.
func Run(ctx context.Context, text []byte, out io.Writer) (outcome.Run, error) {
	stream, err := manifest.Read(text)
	if err != nil {
		return outcome.Run{}, err
	}
	if !stream.ResourceList {
		return outcome.Run{}, errNoResourceList
	}
	injectors, config := readFunctionConfig(stream)
	run := outcome.Run{Level: finding.Warning}
	if !finding.HasError(config) {
		if run, err = inject(ctx, stream.Items, Config{injectors: injectors}); err != nil {
			return outcome.Run{}, err
		}
	}
	run.Config = config
	changed := map[int][]byte{}
	for _, w := range run.Workloads {
		if w.Text != nil {
			changed[w.Index] = w.Text
		}
	}
	return run, writeResourceList(out, stream, changed, run.Findings())
}

var errNoResourceList = errors.New("the input is not a ResourceList (apiVersion: config.kubernetes.io/v1, kind: ResourceList), " +
	"which is what kustomize and kpt send to a function; to run it on plain manifests: pillion inject -c injector.yaml -f -")

func readFunctionConfig(stream *manifest.Stream) ([]*injector.Injector, []finding.Finding) {
	var config *yaml.Node
	if stream.Config != nil {
		var err error
		if _, config, err = stream.Config.Parse(); err != nil && !manifest.IsOddKey(err) {
			return nil, []finding.Finding{unreadableConfig("the functionConfig", err, nil)}
		}
	}
	injectors, findings := injector.Read(config)
	setFile(findings, fileOf(manifest.Item{}, config))
	return injectors, findings
}
