package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// TestPodsDoNotChangeThePayload runs each case twice with one config, on two copies of its items: pods share the nodes
// of the payload, so a change that is made to them for one pod would show in the next.
func TestPodsDoNotChangeThePayload(t *testing.T) {
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		c := parseCase(t, archive)
		config, _ := engine.ReadConfig(finding.Source{Text: []byte(c.config)})
		apply := func() string {
			source := finding.Source{Text: []byte(c.items)}
			result, err := engine.Apply(context.Background(), config, source, source)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%q %v", result.Texts, result.Run.Findings())
		}
		if first, second := apply(), apply(); first != second {
			t.Errorf("the second run differs:\n%s\n%s", first, second)
		}
	})
}
