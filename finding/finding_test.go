package finding_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pillion.dev/pillion/finding"
)

func TestAnErrorGivesItsFindings(t *testing.T) {
	first := finding.Finding{Severity: finding.Error, Code: finding.PortConflict, Message: "port 8080 is taken"}
	second := finding.Finding{Severity: finding.Error, Code: finding.InvalidPod, Field: &finding.Field{Path: "spec"}}
	err := finding.Err([]finding.Finding{{Severity: finding.Warning, Code: finding.NoDigest}, first, second})
	var found finding.Finding
	if !errors.As(fmt.Errorf("web.yaml: %w", err), &found) || found != first {
		t.Errorf("%v has the finding %v", err, found)
	}
	if !errors.Is(err, second) {
		t.Errorf("%v is not %v", err, second)
	}
	if first.Error() != first.String() {
		t.Errorf("%s and %s differ", first.Error(), first)
	}
}

func TestSeveritiesAreWordsInJSON(t *testing.T) {
	written := `["info","warning","error"]`
	var read []finding.Severity
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		t.Fatal(err)
	}
	if len(read) != 3 || read[0] != finding.Info || read[1] != finding.Warning || read[2] != finding.Error {
		t.Errorf("%s is read as %v", written, read)
	}
	if text, err := json.Marshal(read); err != nil || string(text) != written {
		t.Errorf("%v is written as %s: %v", read, text, err)
	}
	for _, wrong := range []string{`"fatal"`, `""`, `2`} {
		if err := json.Unmarshal([]byte(wrong), new(finding.Severity)); err == nil {
			t.Errorf("%s is a severity", wrong)
		}
	}
}
