package auditreport_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/test/sample"
)

func TestHostilePodsMakeNoLargePage(t *testing.T) {
	if size := len(write(t, "html", sample.HostileAudit())); size > 200_000 {
		t.Errorf("the page has %d bytes", size)
	}
}

// cluster returns a page of workloads with pods that are all missing, in as many namespaces.
func cluster(workloads, pods int) auditreport.Page {
	var p auditreport.Page
	for i := range workloads {
		owner := live.Creator{APIVersion: "apps/v1", Kind: "Deployment", Namespace: fmt.Sprintf("team-%d", i), Name: fmt.Sprintf("web-%d", i)}
		for k := range pods {
			p.Audit.Rows = append(p.Audit.Rows, audit.Row{
				Injector: "envoy", Namespace: owner.Namespace, Pod: fmt.Sprintf("%s-%x-%x", owner.Name, i*7919, k*104729), Creator: owner,
				State:  audit.Missing,
				Fields: []audit.Field{{Path: "spec.containers[1]", Declared: "{name: envoy, image: envoy:v1}", IsMissing: true}},
			})
		}
	}
	return p
}

func TestAPageOf50000PodsIsSmall(t *testing.T) {
	const most = 2 << 20
	for name, page := range map[string]auditreport.Page{"many workloads": cluster(10_000, 5), "many pods": cluster(10, 5000)} {
		text := write(t, "html", page)
		t.Logf("%s: %d bytes", name, len(text))
		if len(text) > most {
			t.Errorf("%s: got %d bytes, want at most %d", name, len(text), most)
		}
	}
	text := write(t, "html", cluster(1001, 1))
	if want := "1000 of 1001 owners are shown, the worst ones;"; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
	if want := "501 more namespaces left out."; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
}

func TestCoverage(t *testing.T) {
	row := func(state audit.State) audit.Row { return audit.Row{Namespace: "shop", Pod: "a", State: state} }
	var page auditreport.Page
	for state, n := range map[audit.State]int{audit.Current: 199, audit.Missing: 1, audit.Skipped: 50, audit.Unexpected: 10} {
		for range n {
			page.Audit.Rows = append(page.Audit.Rows, row(state))
		}
	}
	text := write(t, "html", page)
	for _, want := range []string{
		`"words">99%: 199 current, 1 missing, 10 unexpected<`, `<li class="tile coverage" data-filter="" data-value=""><b>99%</b>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
}

func TestTheTileNamesWhatItCounts(t *testing.T) {
	for want, injectors := range map[string][]string{
		"<small>2 of 2 pods</small>":               {"a"},
		"<small>2 of 2 pod-injector pairs</small>": {"a", "b"},
	} {
		row := audit.Row{Injector: "a", Namespace: "shop", Pod: "web", State: audit.Current}
		rows := []audit.Row{row, row}
		rows[1].Injector = injectors[len(injectors)-1]
		text := write(t, "html", auditreport.Page{Injectors: injectors, Audit: audit.Audit{Rows: rows}})
		if !strings.Contains(text, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
}

func TestThePageAdvisesOnEveryState(t *testing.T) {
	text := write(t, "html", page(audit.Group{}, audit.Missing, audit.Stale)) // of one workload
	for _, want := range []string{`<li class="missing"><b>missing</b>`, `<li class="stale"><b>stale</b>`, "1 missing, 1 stale<td "} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
}
