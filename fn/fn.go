// Package fn runs Pillion from Go programs. Run takes a ResourceList, as a KRM function does, and Apply takes
// plain manifests.
package fn

import (
	"context"
	"io"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
)

// Report says what a run decided, and why.
type Report = outcome.Run

// Result is what became of plain manifests.
type Result = engine.Result

// Source is a text with the file that it was read from; the file is empty where there is none.
type Source = engine.Source

// Config is a set of injectors that are ready to run.
type Config = engine.Config

// ReadConfig reads injectors from texts: each holds one or more SidecarInjectors, lists of them, SidecarSets and
// classic ConfigMaps. All problems are reported at once; where an error is among the findings, the config is empty.
func ReadConfig(sources ...Source) (Config, []finding.Finding) { return engine.ReadConfig(sources...) }

// Run reads a ResourceList, injects what its functionConfig declares, and writes the ResourceList with results.
func Run(ctx context.Context, list []byte, out io.Writer) (Report, error) {
	return engine.Run(ctx, list, out)
}

// Apply injects into plain manifests: YAML documents, Lists and JSON.
func Apply(ctx context.Context, config Config, sources ...Source) (Result, error) {
	return engine.Apply(ctx, config, sources...)
}
