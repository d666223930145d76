// Command chain is a function of two steps: its own, which labels everything, and Pillion.
package main

import (
	"os"

	"github.com/kptdev/krm-functions-sdk/go/fn"

	"pillion.dev/pillion/fn/kptfn"
)

func label(list *fn.ResourceList) (bool, error) {
	for _, item := range list.Items {
		if err := item.SetLabel("team", "payments"); err != nil {
			return false, err
		}
	}
	list.Results.Infof("labelled %d items", len(list.Items))
	return true, nil
}

func main() {
	if err := fn.AsMain(fn.Chain(fn.ResourceListProcessorFunc(label), kptfn.Processor{})); err != nil {
		os.Exit(1)
	}
}
