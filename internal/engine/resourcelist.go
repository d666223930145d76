// Package engine takes each item of a stream through all steps: decide, undo, transform, check, stamp and write. Run does
// this for a ResourceList, and Apply for plain manifests.
package engine

import (
	"context"
	"errors"
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
)

// Run reads a ResourceList, runs the injectors of its functionConfig, and writes the result. If the run has failed, the items
// are written unchanged, with the reasons as results. An error means that the input is not a ResourceList, or that the context
// has ended: then nothing is written. The outcomes share the memory of the text, which must not change.
func Run(ctx context.Context, text []byte, out io.Writer) (outcome.Run, error) {
	stream, err := manifest.Read(text)
	if errors.Is(err, manifest.ErrEmpty) {
		return outcome.Run{}, errNoInput
	}
	if err != nil {
		return outcome.Run{}, err
	}
	if !stream.ResourceList {
		return outcome.Run{}, errNoResourceList
	}
	injectors, config := injector.Read(nil)
	if stream.Config != nil {
		injectors, config = readConfigItem(*stream.Config, "the functionConfig")
	}
	run := outcome.Run{Level: finding.Warning}
	if !finding.HasError(config) {
		if run, err = inject(ctx, stream.Items, Config{injectors: injectors, isFunction: true, bytes: len(stream.Config.Text)}); err != nil {
			return outcome.Run{}, err
		}
	}
	run.Config = config
	return run, writeResourceList(out, stream, written(stream.Items, run.Workloads, 0), run.Findings())
}

var errNoInput = errors.New("standard input is empty; to add sidecars to manifests, run: pillion inject -c CONFIG -f FILE; " +
	withoutCommand)

var errNoResourceList = errors.New("the input holds plain manifests; to add sidecars to them, run: pillion inject -c CONFIG; " +
	withoutCommand)

const withoutCommand = "without a command, Pillion reads only the ResourceList that kustomize and kpt send to a function"
