package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/test/growth"
)

// releases returns a verified run with HelmReleases, of which the first is covered.
func releases(count int) outcome.Run {
	kind := maker.Find("helm.toolkit.fluxcd.io/v2", "HelmRelease")
	var run outcome.Run
	for i := range count {
		run.Makers = append(run.Makers, &maker.Maker{
			Kind:   kind,
			Object: finding.Object{Kind: "HelmRelease", Namespace: "shop", Name: fmt.Sprintf("r%d", i)},
			File:   &finding.File{Path: fmt.Sprintf("apps/r%d.yaml", i), Line: 1},
			From:   fmt.Sprintf("oci://registry.example.com/charts/c%d", i%3),
		})
	}
	run.Makers[0].Cover = "CI renders it"
	return run.Verified()
}

func TestEveryFormatHasWhatMakesPodsElsewhere(t *testing.T) {
	page := report.Page{Title: "verify", Run: releases(5)}
	for format, wants := range map[string][]string{
		"table": {
			"helmrelease/r0   covered       CI renders it",
			"helmrelease/r1   not checked   NotRendered: oci://registry.example.com/charts/c1",
		},
		"wide":     {"apps/r1.yaml:1", "not checked"},
		"json":     {`"covered": 1`, `"notChecked": 4`, `"reason": "CI renders it"`, `"from": "oci://registry.example.com/charts/c1"`},
		"html":     {"5 HelmReleases: 1 covered, 4 not checked", "4 HelmReleases make pods that are not checked here"},
		"markdown": {"5 HelmReleases: 1 covered, 4 not checked", "NotRendered"},
		"junit":    {"NotRendered", "4 HelmReleases make pods"},
		"github":   {"::error", "NotRendered", "4 HelmReleases make pods"},
	} {
		got := write(t, format, page)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%.3000s", format, want, got)
			}
		}
	}
	if len(report.Formats.Names()) != 7 {
		t.Error("a format has no test")
	}
}

func TestTheLastLineCountsWhatMakesPodsElsewhere(t *testing.T) {
	var text bytes.Buffer
	run := releases(5)
	run.DryRun = true
	if err := report.RunSummary(&text, run, finding.Warning, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	want := "\n1 HelmRelease is covered: CI renders it\n0 workloads; 5 HelmReleases: 1 covered, 4 not checked\n"
	if !strings.HasSuffix(text.String(), want) {
		t.Errorf("got:\n%s", &text)
	}
}

func TestNamesOfStrangersAreEscapedInEveryFormat(t *testing.T) {
	run := releases(3)
	for i, m := range run.Makers {
		m.Object.Name = "r\x1b[2J\nerror Forged: line"
		m.File.Path = "apps/\x1b]0;x\x07\n::error::forged"
		m.From = fmt.Sprintf("oci://\u202e<script>|`%d\x1b[0m", i)
	}
	run.Makers[1].Why = "the repository is https://\x1b[31m\n::error::forged"
	for _, format := range report.Formats.Names() {
		got := write(t, format, report.Page{Run: run})
		if strings.ContainsAny(got, "\x1b\x07\u202e") || strings.Contains(got, "\n::error::forged") ||
			strings.Contains(got, "\nerror Forged") || format == "html" && strings.Contains(got, "<script>|") {
			t.Errorf("%s is not escaped:\n%.2000s", format, got)
		}
	}
	var text bytes.Buffer
	if err := report.RunSummary(&text, run, finding.Info, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String(), "\x1b\x07\u202e") || strings.Contains(text.String(), "\n::error") {
		t.Errorf("the summary is not escaped:\n%s", &text)
	}
}

func TestAFleetFitsAScreen(t *testing.T) {
	var text bytes.Buffer
	run := releases(10_000)
	for i, m := range run.Makers {
		m.From = fmt.Sprintf("oci://registry.example.com/charts/%d", i)
	}
	if err := report.RunSummary(&text, run, finding.Warning, finding.Finding.String); err != nil {
		t.Fatal(err)
	}
	if strings.Count(text.String(), "\n") > 15 || text.Len() > 2000 {
		t.Errorf("got:\n%s", &text)
	}
}

func TestReportsGrowWithWhatMakesPodsElsewhere(t *testing.T) {
	of := func(count int) func() time.Duration {
		run := releases(count)
		return func() time.Duration {
			return growth.Of(t, func() {
				for _, format := range []string{"table", "json", "html"} {
					write(t, format, report.Page{Run: run})
				}
			})
		}
	}
	growth.Linear(t, "makers", 16, of(625), of(10_000))
}
