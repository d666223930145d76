package engine_test

import (
	"strings"
	"testing"
)

// TestStampsThatALaterRunWouldNotAcceptAreRefused makes stamps that are too long, alone and together.
func TestStampsThatALaterRunWouldNotAcceptAreRefused(t *testing.T) {
	config := func(name, key string) string {
		return injectorOf(name, "patchPodMetadata: [{annotations: {"+key+": short}, patchPolicy: Overwrite}]\n")
	}
	pod := func(length int) string {
		text := strings.Repeat("x", length)
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations:\n    a: " + text + "\n    b: " + text +
			"\nspec:\n  containers:\n  - {name: app, image: i}\n"
	}
	if _, said, failed := step(t, config("a", "a"), pod(260<<10)); !failed || !strings.Contains(said, "StampTooLong") {
		t.Errorf("one that is too long: %.300s", said)
	}
	first := mustRun(t, pod(140<<10), config("a", "a"))
	if after, said, failed := step(t, config("b", "b"), first); !failed || !strings.Contains(said, "StampTooLong") || after != first {
		t.Errorf("two that are too long together: %.300s", said)
	}
}
