package engine

import (
	"fmt"
	"testing"
	"unsafe"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A string that is cut out of an item's text keeps all of that text in memory.
func TestFindingsDoNotHoldTheTextOfItems(t *testing.T) {
	path := "deploy/web.yaml"
	object := node.Mapping(node.String("metadata"), node.Mapping(
		node.String("annotations"), node.Mapping(node.String("config.kubernetes.io/path"), node.String(path))))
	if file := fileOf(&manifest.Item{}, object); file.Path != path || unsafe.StringData(file.Path) == unsafe.StringData(path) {
		t.Errorf("%q is the string of the node", file.Path)
	}
}

// TestErrorIsAmongFewFindings adds an error behind very many warnings.
func TestErrorIsAmongFewFindings(t *testing.T) {
	for _, warnings := range []int{maxFindings - 1, maxFindings, maxCollected, maxCollected + 5} {
		w := &workload{run: &run{}, result: new(outcome.Workload)}
		for range warnings {
			w.reportGeneral(finding.Finding{Severity: finding.Warning})
		}
		w.reportGeneral(finding.Finding{Severity: finding.Error})
		shown := w.capped(w.result.General)
		count := 0
		if more := shown[len(shown)-1]; more.Code == finding.MoreFindings {
			if _, err := fmt.Sscan(more.Message, &count); err != nil || more.Severity != finding.Warning {
				t.Errorf("of %d warnings and an error, those that are not shown are: %s", warnings, more)
			}
			shown = shown[:len(shown)-1]
		}
		if !finding.HasError(shown) || len(shown) != maxFindings || len(shown)+count != warnings+1 {
			t.Errorf("of %d warnings and an error, %d are shown, with an error: %t, and %d are counted",
				warnings, len(shown), finding.HasError(shown), count)
		}
	}
}
