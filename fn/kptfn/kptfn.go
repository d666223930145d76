// Package kptfn runs Pillion as a step of a function that is written with the kpt functions SDK:
//
//	func main() {
//		if err := fn.AsMain(fn.Chain(mine, kptfn.Processor{})); err != nil {
//			os.Exit(1)
//		}
//	}
//
// Comments are kept as far as the SDK keeps them. It sorts the items of a ResourceList by kind and name, writes them in
// its own indentation, and leaves out an index of 0 in the files of results. Programs that need none of the SDK keep
// every byte with the function Run of Pillion's package fn.
//
// If the step fails, the SDK prints only "function failure"; the reason is in the results of the ResourceList.
package kptfn

import (
	"context"
	"fmt"

	sdk "github.com/kptdev/krm-functions-sdk/go/fn"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/transformers"
)

// Processor injects sidecars into the items of a ResourceList. The zero value takes the injectors from the
// functionConfig.
type Processor struct {
	sidecars *transformers.Sidecars
}

var _ sdk.ResourceListProcessor = Processor{}

// New returns a processor for fixed injectors, which ignores the functionConfig.
func New(sidecars transformers.Sidecars) Processor { return Processor{&sidecars} }

// Process injects into the items, which keep their order and identity, and adds the findings to the results. If any
// finding is an error, no item changes, and Process returns false.
func (p Processor) Process(list *sdk.ResourceList) (bool, error) {
	sidecars, findings := p.sidecarsFor(list)
	if finding.HasError(findings) {
		return false, addResults(list, findings)
	}
	sources := make([]transformers.Source, len(list.Items))
	for i, item := range list.Items {
		sources[i] = transformers.Source{Text: []byte(item.String()), MayBeEmpty: true}
	}
	result, err := sidecars.Apply(context.Background(), sources...)
	if err != nil {
		return false, err
	}
	if err := setItems(list.Items, result.Texts); err != nil {
		return false, err
	}
	return !result.Failed(), addResults(list, append(findings, result.Findings...))
}

func (p Processor) sidecarsFor(list *sdk.ResourceList) (transformers.Sidecars, []finding.Finding) {
	if p.sidecars != nil {
		return *p.sidecars, nil
	}
	if list.FunctionConfig == nil || list.FunctionConfig.IsEmpty() {
		return transformers.Sidecars{}, []finding.Finding{{
			Severity: finding.Error, Code: finding.InvalidConfig,
			Message: "the ResourceList has no functionConfig; give it a SidecarInjector",
		}}
	}
	return transformers.Read(transformers.Source{Text: []byte(list.FunctionConfig.String())})
}

// setItems sets the items that have a new text, or none if one of them cannot be read.
func setItems(items sdk.KubeObjects, texts [][]byte) error {
	changed := make(map[int]*sdk.KubeObject, len(texts))
	for i, text := range texts {
		if text == nil {
			continue
		}
		object, err := sdk.ParseKubeObject(text)
		if err != nil {
			return fmt.Errorf("read item %d: %w", i, err)
		}
		changed[i] = object
	}
	for i, object := range changed {
		*items[i] = *object
	}
	return nil
}

// addResults adds findings to the results of a ResourceList.
func addResults(list *sdk.ResourceList, findings []finding.Finding) error {
	for _, f := range findings {
		result := &sdk.Result{}
		if err := outcome.Result(f).Decode(result); err != nil {
			return err
		}
		list.Results = append(list.Results, result)
	}
	return nil
}
