package auditreport_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pillion.dev/pillion/test/sample"
)

func TestHostilePodsDoNotBreakTheTerminal(t *testing.T) {
	page := sample.HostileAudit()
	for _, format := range []string{"table", "wide", "json"} {
		got := write(t, format, page)
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("%s has %q", format, got[max(i, 0):min(max(i, 0)+20, len(got))])
		}
	}
	if got := write(t, "json", page); !json.Valid([]byte(got)) {
		t.Errorf("not JSON: %.300s", got)
	}
}
