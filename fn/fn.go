// Package fn runs Pillion inside other Go programs.
//
// Run takes a ResourceList with its functionConfig, as a KRM function does. Apply takes manifests and a Config, which
// ReadConfig reads from YAML and NewConfig makes of typed values:
//
//	config, findings := fn.NewConfig(v1alpha1.SidecarInjector{ ... })
//	result, err := fn.Apply(ctx, config, fn.Source{File: "web.yaml", Text: text})
//
// Both change only the bytes that an injection changes, and either everything or nothing: if any finding is an error, no
// text changes. Problems with the input are findings; an error means that the program could not run at all.
//
// Package kiofilter is the same as a filter for kyaml's pipelines, and package kptfn as a processor for the kpt functions
// SDK. Package transformers tells how to write transformers of your own.
package fn

import (
	"context"
	"io"

	"pillion.dev/pillion/internal/engine"
)

// Source is a text with the file that it was read from.
type Source struct {
	// File is the path for findings; empty if there is none.
	File string
	// Text is YAML documents, Lists or JSON.
	Text []byte
	// MayBeEmpty allows a text without any object, which is an error otherwise.
	MayBeEmpty bool
}

// Run reads a ResourceList, injects what its functionConfig declares, and writes the ResourceList with the results of the
// function specification. If the report has failed, it writes the items as they were, with the results that tell why. It
// returns an error, and writes nothing, if the input is not a ResourceList or the context ends.
func Run(ctx context.Context, list []byte, out io.Writer) (Report, error) {
	run, err := engine.Run(ctx, list, out)
	if err != nil {
		return Report{}, err
	}
	return newReport(run), nil
}

// Apply injects into manifests. All sources are one stream: a Namespace in one of them gives its labels to a Deployment in
// another. Each source keeps its own text. Apply returns an error only if the context ends.
func Apply(ctx context.Context, config Config, sources ...Source) (Result, error) {
	result, err := engine.Apply(ctx, config.engine, engineSources(sources)...)
	if err != nil {
		return Result{}, err
	}
	return Result{Report: newReport(result.Run), Texts: result.Texts}, nil
}
