// Package fn runs Pillion inside other Go programs.
//
// Run takes a ResourceList with its functionConfig, as a KRM function does. Apply takes manifests and a Config, which
// ReadConfig reads from YAML and NewConfig creates from typed values:
//
//	config, findings := fn.NewConfig(v1alpha1.SidecarInjector{ ... })
//	result, err := fn.Apply(ctx, config, fn.Source{File: "web.yaml", Text: text})
//
// Both change only the bytes that an injection needs to change. If any finding is an error, they change nothing at all.
// Problems with the input are findings; the error result is for what keeps them from running, such as a context that
// has ended. If a finding is behind an error, errors.As gives it.
//
// Package kiofilter does the same as a filter in kyaml's pipelines, and package kptfn as a processor of the kpt
// functions SDK. A Transformer makes changes that a config cannot express.
package fn

import (
	"bytes"
	"context"
	"io"

	"pillion.dev/pillion/internal/core/engine"
)

// Source is a text with the file that it was read from.
type Source struct {
	// File is the path that findings show. It may be empty.
	File string
	// Text is YAML documents or JSON. Lists of kind List are objects one by one.
	Text []byte
	// MayBeEmpty allows a text without any object, which is an error otherwise. Set it when you read a directory.
	MayBeEmpty bool
}

// Run reads a ResourceList, injects what its functionConfig declares, and writes the ResourceList with the results of
// the function specification. If the run fails, it writes the items as they were, with results that explain why. Run
// returns an error, and writes nothing, if the input is not a ResourceList, which is a finding, or if the context ends.
func Run(ctx context.Context, list []byte, out io.Writer) (Report, error) {
	run, err := engine.Run(ctx, bytes.Clone(list), out) // the report shares the memory of the text
	if err != nil {
		return Report{}, err
	}
	return newReport(run), nil
}

// Apply injects into manifests. All sources are one stream: a selector for the labels of namespaces finds a Namespace
// in one source for a Deployment in another. Objects that hold no pods pass through. Apply returns an error only if the
// context ends.
func Apply(ctx context.Context, config Config, sources ...Source) (Result, error) {
	result, err := engine.Apply(ctx, config.engine, engineSources(sources)...)
	if err != nil {
		return Result{}, err
	}
	return Result{Report: newReport(result.Run), Texts: result.Texts}, nil
}
