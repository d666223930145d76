package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/test/sample"
)

func TestJSONHasNothingThatATerminalActsOn(t *testing.T) {
	const name = "a\u009b2J\u202eb\u200f\x7f\u2066c\U000e0001\ufeff é 😀"
	page := sample.Hostile()
	page.Title = name
	page.Run.Workloads = append(page.Run.Workloads, &outcome.Workload{
		Object: finding.Object{Kind: "Pod", Name: name}, File: &finding.File{Path: name},
		General: []finding.Finding{{Severity: finding.Error, Code: "Code", Message: name}},
	})
	got := write(t, "json", page)
	if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("it has %q", got[i:i+10])
	}
	var back struct{ Title string }
	if err := json.Unmarshal([]byte(got), &back); err != nil || back.Title != name {
		t.Errorf("got %q back, want %q (%v)", back.Title, name, err)
	}
	if !strings.Contains(got, `a\u009b2J\u202eb\u200f\u007f\u2066c\udb40\udc01\ufeff é 😀`) {
		t.Errorf("got %.200q", got)
	}
}
