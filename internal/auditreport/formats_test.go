package auditreport_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/auditreport"
	"pillion.dev/pillion/test/sample"
)

var update = flag.Bool("update", false, "write the golden files again instead of comparing with them")

func write(t *testing.T, format string, p auditreport.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := auditreport.Formats.Write(&b, format, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormatsAreAsTheGoldenFilesShow(t *testing.T) {
	for _, format := range []string{"table", "wide", "json", "prometheus"} {
		t.Run(format, func(t *testing.T) {
			golden := filepath.Join("testdata", "cluster."+format)
			got := write(t, format, sample.Audit(40))
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
			if again := write(t, format, sample.Audit(40)); again != got {
				t.Error("the same page comes out otherwise the second time")
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
