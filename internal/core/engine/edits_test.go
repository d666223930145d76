package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/edit"
)

const (
	alikeConfigMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web-%d\ndata:\n  inject: %q\n"
	alikePod       = "# the next\napiVersion: v1\nkind: Pod\nmetadata:\n  name: web-%d\n  annotations:\n    pillion.dev/inject: %q\n" +
		"spec:\n  volumes: []\n  containers:\n  - name: app\n    image: app:1\n\n  - name: other\n    image: app:1\n"
	alikeList = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-%d\n    annotations:\n" +
		"      pillion.dev/inject: %q\n  spec:\n    containers:\n    - name: app\n      image: app:1\n" +
		"- {apiVersion: v1, kind: Pod, metadata: {name: flow}, spec: {containers: [{name: app, image: \"app:1\"}]}}\n"
)

// alike is a file of workloads that differ in little, of which some are opted out.
func alike(r *rand.Rand, count int) string {
	var parts []string
	for i := range count {
		part := []string{alikeConfigMap, alikePod, alikeList}[r.IntN(3)]
		parts = append(parts, fmt.Sprintf(part, i%3, []string{"true", "false"}[r.IntN(2)]))
	}
	text := strings.Join(parts, "---\n")
	if r.IntN(3) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// TestDiffsAreMadeOfEdits claims that the edits of a run make the new text of the old one, that the diff takes
// out no line that stays, and that the diff of each workload counts the lines of its file.
func TestDiffsAreMadeOfEdits(t *testing.T) {
	configs := []string{
		"containers: [{name: envoy, image: envoy}]\nvolumes: [{name: tmp, emptyDir: {}}]\n",
		"containers: [{name: envoy, image: other, podInjectPolicy: BeforeAppContainer}]\nappContainers: [{env: [{name: A, value: b}]}]\n",
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		text := []byte(alike(r, 1+r.IntN(12)))
		for round := range 3 { // inject, update, and again
			config, _ := engine.ReadConfig(finding.Source{Text: []byte(injectorOf("envoy", configs[min(round, 1)]))})
			result := apply(config, finding.Source{File: "pods.yaml", Text: text})
			if result.Run.Failed() {
				t.Fatal(result.Run.Findings())
			}
			after := result.Texts[0]
			if after == nil {
				after = text
			}
			if made := edit.Apply(text, result.Edits[0]); !bytes.Equal(made, after) {
				t.Fatalf("seed %d: the edits give\n%s\ninstead of\n%s", seed, made, after)
			}
			whole := changedLines(edit.Unified(text, result.Edits[0], 1, edit.Context))
			lines := bytes.SplitAfter(text, []byte("\n"))
			var each []string
			for _, row := range result.Run.Workloads {
				if rest := bytes.Join(lines[row.Line-1:], nil); !bytes.HasPrefix(rest, row.Before) {
					t.Fatalf("seed %d: line %d is not the first of\n%s", seed, row.Line, row.Before)
				}
				each = append(each, changedLines(edit.Unified(row.Before, row.Edits, row.Line, edit.Context))...)
			}
			if diff := cmp.Diff(whole, each); diff != "" {
				t.Fatalf("seed %d: the diff of the file differs from those of its workloads (-file +workloads):\n%s", seed, diff)
			}
			for i, line := range whole {
				isLast := string(lines[len(lines)-1]) == line[1:] // without a line end
				isReplaced := strings.Contains(line, "volumes: []") || strings.Contains(line, "{apiVersion") || isLast
				if round == 0 && line[0] == '-' && !isReplaced {
					t.Fatalf("seed %d: an injection takes out %q:\n%s", seed, line, strings.Join(whole[:i+1], "\n"))
				}
			}
			text = after
		}
	}
}

// changedLines are the lines that a diff takes out and puts in.
func changedLines(hunks []byte) []string {
	var changed []string
	for line := range strings.Lines(string(hunks)) {
		if line[0] == '-' || line[0] == '+' {
			changed = append(changed, strings.TrimRight(line, "\r\n"))
		}
	}
	return changed
}
