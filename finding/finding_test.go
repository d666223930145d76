package finding_test

import (
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
