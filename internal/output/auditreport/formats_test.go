package auditreport_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/sample"
)

func write(t *testing.T, format string, p auditreport.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := auditreport.Formats.Write(&b, format, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormatsAreAsTheGoldenFilesShow(t *testing.T) {
	for _, format := range []string{"table", "wide", "json"} {
		t.Run(format, func(t *testing.T) {
			for range 2 { // the second page must be the same
				golden.Check(t, filepath.Join("testdata", "cluster."+format), write(t, format, sample.Audit(40)))
			}
		})
	}
}

func TestAnEmptyPageIsAReportAsWell(t *testing.T) {
	for _, format := range auditreport.Formats.Names() {
		got := write(t, format, auditreport.Page{})
		if got == "" || strings.Contains(got, `": null`) {
			t.Errorf("%s writes %.300q", format, got)
		}
	}
}
