// Package fn is the protocol of KRM functions: a ResourceList in, a ResourceList out. The program pillion is Run, from
// standard input to standard output.
//
// Package kptfn does the same as a processor of the kpt functions SDK. To inject into plain manifests, to declare
// injectors as Go values, or to change pods by Go code, use package transformers.
package fn

import (
	"bytes"
	"context"
	"io"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/output/report"
)

// Report is what a run decided, and why.
type Report = decision.Report

// Run reads a ResourceList, injects what its functionConfig declares, and writes the ResourceList with the results of
// the function specification. If the run fails, it writes the items as they were, with results that explain why. Run
// returns an error, and writes nothing, if the input is not a ResourceList, which is a finding, or if the context ends.
func Run(ctx context.Context, list []byte, out io.Writer) (Report, error) {
	run, err := engine.Run(ctx, bytes.Clone(list), out) // the report shares the memory of the text
	if err != nil {
		return Report{}, err
	}
	return report.Of(run), nil
}
