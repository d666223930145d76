package report_test

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/test/sample"
)

func TestAFleetFitsInto300KB(t *testing.T) {
	const workloads, least, room = 500, 25, 260_000
	for name, fleet := range map[string]report.Page{"alike": sample.Fleet(workloads), "varied": sample.Varied(workloads)} {
		for _, w := range fleet.Run.Workloads {
			if added := strings.Count(string(report.Diff(w)), "\n+") - 1; w.Edits != nil && added < least {
				t.Fatalf("%s gets %d lines, which is too few to measure", w.Object, added)
			}
		}
		size := len(write(t, "html", fleet))
		t.Logf("%d workloads, %s, are %d bytes", workloads, name, size)
		if size > room {
			t.Errorf("%d workloads, %s, are %d bytes, want at most %d, so that others stay below 300,000", workloads, name, size, room)
		}
	}
}

func TestWarningsAreOnThePage(t *testing.T) {
	page := write(t, "html", sample.Fleet(12))
	if marks := strings.Count(page, `<b class="warning">NoDigest</b>`); marks != 2 {
		t.Errorf("%d rows are marked, want 2", marks)
	}
	if !strings.Contains(page, `data-value="warning"><b>3</b>`) { // the third is the reason of its row
		t.Error("the page does not count 3 workloads with warnings")
	}
}

func TestEqualCountsHaveEqualShares(t *testing.T) {
	for want, counts := range map[string][]int{"33% 33% 33%": {1, 1, 1}, "99% <1%": {499, 1}, "100%": {7}, "67% 17% 17%": {4, 1, 1}} {
		var page report.Page
		for i, count := range counts {
			for range count {
				page.Run.Workloads = append(page.Run.Workloads, under(outcome.Outcome{Decision: decision.All()[i]}))
			}
		}
		var shares []string
		for _, tile := range regexp.MustCompile(`data-filter="decision".*<small>(.*)</small>`).FindAllStringSubmatch(write(t, "html", page), -1) {
			shares = append(shares, html.UnescapeString(tile[1]))
		}
		if got := strings.Join(shares, " "); got != want {
			t.Errorf("%v are %s, want %s", counts, got, want)
		}
	}
}

func TestWhatIsHeldBackIsSaidOnThePage(t *testing.T) {
	fleet := sample.Fleet(3)
	if page := write(t, "html", fleet); strings.Contains(page, "Nothing is written") {
		t.Error("nothing is held back, and the page says so")
	}
	fleet.Run.Workloads[0].Outcomes[0].Decision = decision.HeldBack
	page := write(t, "html", fleet)
	for _, want := range []string{
		"Nothing is written until the errors are settled: 1 workload held back", "CPU requested",
		`<td class="held-back">held back<td class=why><b class="warning">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

func TestTheDataOfThePageMakesTheDiffsAgain(t *testing.T) {
	fleet := sample.Fleet(40)
	diffs := diffsOn(t, write(t, "html", fleet))
	for _, w := range fleet.Run.Workloads {
		_, want, _ := strings.Cut(string(report.Diff(w)), "\n@@")
		if want != "" {
			want = "@@" + want
		}
		if got := diffs[w.Object.Name]; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", w.Object, got, want)
		}
	}
}

func TestDiffsWithLessAroundThemAreStillTrue(t *testing.T) {
	fleet := sample.Varied(500)
	last := fleet.Run.Workloads[len(fleet.Run.Workloads)-1]
	before, after := bytes.TrimSuffix(last.Before, []byte("\n")), bytes.TrimSuffix(edit.Apply(last.Before, last.Edits), []byte("\n"))
	last.Edits, last.Before = edit.Whole(before, after), before
	around, changes := 0, 0
	diffs := diffsOn(t, write(t, "html", fleet))
	for i, w := range fleet.Run.Workloads {
		diff := diffs[w.Object.Name]
		texts := map[byte][]string{
			'-': strings.Split(string(w.Before), "\n"),
			'+': strings.Split(string(edit.Apply(w.Before, w.Edits)), "\n"),
		}
		var old, now int
		holds := func(kind byte, number int, line string) {
			if texts[kind][number-1] != line[1:] {
				t.Fatalf("%s: line %d of %c is %q, and not as in\n%s", fleet.Run.Workloads[i].Object, number, kind, texts[kind][number-1], diff)
			}
		}
		for line := range strings.Lines(diff) {
			line = strings.TrimSuffix(line, "\n")
			switch line[0] {
			case '@':
				if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &old, new(int), &now, new(int)); err != nil {
					t.Fatal(err)
				}
			case '-':
				holds('-', old, line)
				old++
				changes++
			case '+':
				holds('+', now, line)
				now++
				changes++
			case ' ':
				holds('-', old, line)
				holds('+', now, line)
				old, now, around = old+1, now+1, around+1
			}
		}
	}
	if around == 0 || around > changes/2 {
		t.Errorf("%d lines stand around %d", around, changes)
	}
}

// diffsOn are the diffs that the script of a page would show, by the names of the workloads.
func diffsOn(t *testing.T, page string) map[string]string {
	t.Helper()
	var data struct {
		Strings []string
		Rows    []struct{ D []int }
	}
	_, encoded, _ := strings.Cut(page, `id="data">`)
	encoded, _, _ = strings.Cut(encoded, "</script>")
	var packed []byte
	if err := json.Unmarshal([]byte(encoded), &packed); err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(packed))).Decode(&data); err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`<th scope="row">([^<]*)`).FindAllStringSubmatch(page, -1)
	diffs := map[string]string{}
	for i, row := range data.Rows {
		for run := row.D; len(run) > 0; run = run[2:] {
			diffs[names[i][1]] += strings.Join(data.Strings[run[0]:run[0]+run[1]], "\n") + "\n"
		}
	}
	return diffs
}
