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

func TestNoLineOfATableIsTooLong(t *testing.T) {
	for _, columns := range []int{80, 120, 200} {
		page := sample.HostileAudit()
		page.Audit.Rows = append(page.Audit.Rows, sample.Audit(40).Audit.Rows...)
		page.Columns = columns
		table, _, _ := strings.Cut(write(t, "table", page), "\n\n") // commands after it are not cut
		for line := range strings.Lines(table) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("a line has %d characters, want at most %d: %s", n, columns, line)
			}
		}
	}
}
