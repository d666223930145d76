package engine_test

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/test/resourcelist"
)

// TestNeighboursMakeNoDifference claims that a workload comes out as it does alone, whatever comes before it: a run
// uses the memory of one workload for the next.
func TestNeighboursMakeNoDifference(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: neighbour\nspec:\n  containers:\n" +
		"  - name: neighbour\n    image: n:1\n    volumeMounts:\n    - name: neighbour\n      mountPath: /neighbour\n  volumes:\n" +
		"  - name: neighbour\n    emptyDir: {}\n  appContainers:\n  - env:\n    - name: NEIGHBOUR\n      value: \"1\"\n"
	var items, alone []string
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		for _, document := range resourcelist.Documents(parseCase(t, archive).items) {
			if after := itemsAfter(t, []string{document}, config); len(after) == 1 && strings.Contains(after[0], "image: n:1") {
				items, alone = append(items, document), append(alone, after[0])
			}
		}
	})
	const want = 300
	if len(items) < want {
		t.Fatalf("%d items get the sidecar; expected at least %d", len(items), want)
	}
	for _, order := range []string{"as they are", "backwards"} {
		if order == "backwards" {
			slices.Reverse(items)
			slices.Reverse(alone)
		}
		if diff := cmp.Diff(alone, itemsAfter(t, items, config)); diff != "" {
			t.Errorf("alone, and with neighbours, %s:\n%s", order, diff)
		}
	}
}

// itemsAfter returns the items of a list after a run, or none if it has failed.
func itemsAfter(t *testing.T, items []string, config string) []string {
	t.Helper()
	var out bytes.Buffer
	if run, err := engine.Run(t.Context(), []byte(resourcelist.Wrap(items, config)), &out); err != nil || run.Failed() {
		return nil
	}
	list, _, _ := strings.Cut(out.String(), "\nresults:\n")
	after, err := resourcelist.Items(list + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return after
}
