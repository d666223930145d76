package engine

import (
	"context"
	"io"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// The errors of Run for an input that cannot be a ResourceList. They are findings, which errors.Is compares by their
// messages.
var (
	ErrNoInput        = invalidInput(manifest.ErrEmpty.Error())
	ErrNoResourceList = invalidInput("the input holds plain manifests, and no ResourceList")
)

func invalidInput(message string) error {
	return finding.Finding{Severity: finding.Error, Code: finding.InvalidItem, Message: message}
}

// Run reads a ResourceList, runs the injectors of its functionConfig, and writes the result. If the run has failed, the
// items are written unchanged, with the reasons as results. An error means that the input is not a ResourceList, which
// is a finding, or that the context has ended: then nothing is written. The outcomes share the memory of the text,
// which must not change.
func Run(ctx context.Context, text []byte, out io.Writer) (outcome.Run, error) {
	stream, err := manifest.Read(text)
	switch {
	case err != nil:
		return outcome.Run{}, invalidInput(err.Error())
	case !stream.ResourceList:
		return outcome.Run{}, ErrNoResourceList
	}
	injected, config, err := injectInto(ctx, stream)
	if err != nil {
		return outcome.Run{}, err
	}
	injected.Config = config
	edits := editsOf([][]visited{visits(stream.Items)}, injected.Workloads)[0]
	return injected, writeResourceList(out, stream, edits, injected.Findings())
}

// injectInto runs the injectors of a ResourceList's functionConfig. It also returns the findings about the config.
func injectInto(ctx context.Context, stream *manifest.Stream) (outcome.Run, []finding.Finding, error) {
	injectors, findings := readFunctionConfig(stream.Config)
	if finding.HasError(findings) {
		return outcome.Run{Level: finding.Warning}, findings, nil
	}
	config := Config{injectors: injectors, isFunction: true, bytes: len(stream.Config.Text)}
	run, err := inject(ctx, stream.Items, config)
	return run, findings, err
}

// readFunctionConfig reads the injectors of a functionConfig, which may be nil.
func readFunctionConfig(config *manifest.Item) ([]*injector.Injector, []finding.Finding) {
	if config == nil {
		return injector.Read(nil)
	}
	_, injectors, findings := readConfigItem(config, "the functionConfig", false)
	return injectors, findings
}

// writeResourceList writes a ResourceList with its edits, and with findings as its results.
func writeResourceList(w io.Writer, stream *manifest.Stream, edits []edit.Edit, findings []finding.Finding) error {
	if len(findings) == 0 {
		return stream.Write(w, edits)
	}
	position, err := stream.ResultsPosition()
	if err != nil {
		return invalidInput(err.Error())
	}
	return stream.WriteResults(w, edits, position, func() [][]byte { return newResults(position, findings) })
}

// newResults returns findings as results of a ResourceList, in pieces, so that no text of thousands of them is copied.
func newResults(position manifest.ResultsPosition, findings []finding.Finding) [][]byte {
	const size = 32 // results of a piece
	pieces := [][]byte{[]byte(position.Before)}
	made := []byte(nil)
	var memory outcome.ResultMemory
	for i, f := range findings {
		made = appendResult(made, position, memory.Result(f), i == 0)
		if (i+1)%size == 0 || i+1 == len(findings) {
			pieces = append(pieces, slices.Clone(made))
			made = made[:0]
		}
	}
	return append(pieces, []byte(position.After))
}

// appendResult adds a result to the text of those before it.
func appendResult(text []byte, position manifest.ResultsPosition, result *node.Node, isFirst bool) []byte {
	style := emit.Style{LineEnd: position.LineBreak, Indent: 2, DashWidth: 2, Flow: emit.FlowStyle{JSON: true}}
	switch {
	case !position.InBrackets:
		return append(style.Entry(emit.Spaces(text, position.Column), result, position.Column), position.LineBreak...)
	case !isFirst:
		text = append(text, ", "...)
	}
	return style.FlowValue(text, result, "")
}
