package auditreport_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/test/sample"
)

// sampleLine is a line of the text format, as its documentation defines it, without control characters.
var sampleLine = regexp.MustCompile(
	`^pillion_pods\{injector="((?:[^"\\[:cntrl:]]|\\[\\"n])*)",namespace="((?:[^"\\[:cntrl:]]|\\[\\"n])*)",state="([a-z]+)"\} [0-9]+$`)

func TestMetricsOfHostilePodsAreValid(t *testing.T) {
	page := sample.HostileAudit()
	got := write(t, "prometheus", page)
	if !utf8.ValidString(got) || !strings.HasSuffix(got, "\n") {
		t.Fatalf("the text is no UTF-8, or does not end with a line break: %.300q", got)
	}
	lines, seen := strings.Split(strings.TrimSuffix(got, "\n"), "\n"), map[string]bool{}
	if !strings.HasPrefix(lines[0], "# HELP pillion_pods ") || lines[1] != "# TYPE pillion_pods gauge" {
		t.Errorf("got %q", lines[:2])
	}
	for _, line := range lines[2:] {
		if !sampleLine.MatchString(line) {
			t.Errorf("no sample: %.300q", line)
		}
		series := line[:strings.LastIndex(line, "} ")]
		if seen[series] {
			t.Errorf("twice: %.300q", series)
		}
		seen[series] = true
	}
}

func TestTextsThatBecomeEqualAreOneSeries(t *testing.T) {
	row := func(namespace string) audit.Row {
		return audit.Row{Injector: "a", Namespace: namespace, State: audit.Missing}
	}
	got := write(t, "prometheus", auditreport.Page{Audit: audit.Audit{Rows: []audit.Row{row("\xff"), row(`\xff`)}}})
	want := `{injector="a",namespace="\\xff",state="missing"} 2` + "\n"
	if strings.Count(got, "missing") != 1 || !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}

func TestEveryStateHasANumber(t *testing.T) {
	rows := []audit.Row{{Injector: "a", Namespace: "b", State: audit.Current}}
	got := write(t, "prometheus", auditreport.Page{Audit: audit.Audit{Rows: rows}})
	for _, state := range audit.States {
		n := 0
		if state == audit.Current {
			n = 1
		}
		if want := fmt.Sprintf("pillion_pods{injector=\"a\",namespace=\"b\",state=%q} %d\n", state, n); !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}
