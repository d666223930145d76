package report_test

import (
	"runtime"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/report"
)

func TestManyDetailsAreWrittenInLinearSpace(t *testing.T) {
	f := finding.Finding{Code: finding.NotAsExpected, Detail: strings.Repeat("+ a line of a diff\n", 2000)}
	for name, line := range map[string]func(finding.Finding) string{
		"text":   finding.Finding.String,
		"github": report.GitHubLine,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = line(f)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(20*len(f.Detail)); got > most {
			t.Errorf("%s: %d bytes of details take %d bytes, want at most %d", name, len(f.Detail), got, most)
		}
	}
}
