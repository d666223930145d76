package livepods

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/manifest"
)

// TestAuditFindsTheStates audits enough pods that each kind is among them.
func TestAuditFindsTheStates(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(Injector)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	want, kinds := map[string]string{}, map[string]bool{}
	for pod := range All(400) {
		want[pod.Namespace+"/"+pod.Name] = pod.State
		kinds[pod.State] = true
	}
	if len(want) != 400 || len(kinds) != 4 {
		t.Errorf("%d pods have names of their own, in %d states", len(want), len(kinds))
	}
	var text bytes.Buffer
	if _, err := Write(&text, 400); err != nil {
		t.Fatal(err)
	}
	list, err := manifest.Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	found, err := audit.Run(t.Context(), config, list.Items)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range found.Rows {
		got[row.Namespace+"/"+row.Pod] = string(row.State)
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWritesAsKubectlDoes compares the text with what encoding/json writes, which kubectl uses.
func TestWritesAsKubectlDoes(t *testing.T) {
	var text bytes.Buffer
	counts, err := Write(&text, 60)
	if err != nil {
		t.Fatal(err)
	}
	var list map[string]any
	if err := json.Unmarshal(text.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	again, err := json.MarshalIndent(list, "", "    ")
	if err != nil || !bytes.Equal(append(again, '\n'), text.Bytes()) {
		t.Errorf("%v: it is written as\n%s", err, text.Bytes())
	}
	if total := counts["current"] + counts["missing"] + counts["stale"] + counts["skipped"]; total != 60 {
		t.Errorf("the counts are %v", counts)
	}
}

func TestNamesAreUnique(t *testing.T) {
	names := map[string]bool{}
	for pod := range All(50000) {
		names[pod.Namespace+"/"+pod.Name] = true
	}
	if len(names) != 50000 {
		t.Errorf("50000 pods have %d names", len(names))
	}
}
