package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/test/sample"
)

func TestMarkdownTellsHowToFixWhatIsOutdated(t *testing.T) {
	page := mesh(4)
	page.Run.General = []finding.Finding{{
		Severity: finding.Warning, Code: finding.LeftOut, Message: "it is left out", Object: &finding.Object{Kind: "Pod", Name: "left"},
		File: &finding.File{Path: "left.yaml", Line: 3},
	}}
	page.Run = page.Run.Verified().WithRemedy("to fix it, run: pillion inject -f 'a`b' -i")
	got := write(t, "markdown", page)
	for _, want := range []string{
		"- **4 workloads: 1 outdated, 1 unchanged, 1 skipped, 1 refused; inject would change nothing without --keep-going**\n",
		"- **to fix it, run:** `pillion inject -f 'a\u02cbb' -i`\n",
		"- **warning** `LeftOut` `pod/left: it is left out` `left.yaml:3`\n",
		"| `<none>` | `pod/pod-1` | `outdated` | `container envoy: image envoy:v1 -> envoy:v2; adds env variable PROXY of a container` |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks\n%sin\n%s", want, got)
		}
	}
	if strings.Contains(got, "pod-0") {
		t.Errorf("what is unchanged has a row:\n%s", got)
	}
}

func TestMarkdownShowsTextsOfStrangersOnlyAsCode(t *testing.T) {
	page := sample.Hostile(
		"a | b", `a \| b`, `a \\| b\`, "`", "a``b", strings.Repeat("`", 700), "@octocat", "#1", "a@example.com", "https://example.com",
		"[x](https://example.com)", "**bold**", "\n\n# heading\n", "\r\r# heading\r", "</code></summary></details>",
		"```\n</details>\n@octocat\n", "~~~\n", "| a | b |\n|---|---|\n", "&lt;script&gt;",
	)
	before := []byte("a: |\n  ```\n `````\n```\n\n</details>\n@octocat\n")
	page.Run.Workloads[0].Before = before
	page.Run.Workloads[0].Edits = edit.Whole(before, bytes.Replace(before, []byte("@octocat"), []byte("@hubot"), 1))
	text := write(t, "markdown", page)
	for _, hostile := range []string{"@octocat", "https://example.com", "window.pwned", "</details>"} {
		if !strings.Contains(text, hostile) {
			t.Errorf("%s is not in it, so that this proves nothing", hostile)
		}
	}
	if strings.ContainsAny(text, "\r\x00\x1b\u202e") {
		t.Errorf("it has control characters:\n%q", text)
	}
	if rest := outsideOfCode(text); !regexp.MustCompile(`^### Sidecars: C\n\n(-( \*\*[\w ,:;.-]+\*\*)?( C)*\n)+\n` +
		`\| NAMESPACE \| WORKLOAD \| DECISION \| REASON \|\n\|---\|---\|---\|---\|\n(\| C \| C \| C \| C? ?\|\n)+` +
		`(\n<details><summary><code>[^<>\n]+</code></summary>\n\nF\n\n</details>\n)+$`).MatchString(rest) {
		t.Errorf("without what is code, it is\n%s", rest)
	}
}

// outsideOfCode returns Markdown with an F for each code block that a fence of backticks begins and ends, and a C for the other code.
func outsideOfCode(text string) string {
	var rest strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		ticks := len(line) - len(strings.TrimLeft(line, "`"))
		isEnd := regexp.MustCompile("^ {0,3}`+ *\n$").MatchString(line) && strings.Count(line, "`") >= len(fence)
		switch {
		case fence == "" && ticks >= 3:
			fence = line[:ticks]
		case fence == "":
			cells := []string{line}
			if line[0] == '|' { // in a table, a pipe ends code, except behind one backslash
				cells = strings.Split(regexp.MustCompile(`([^\\])\\\|`).ReplaceAllString(line, "$1"), "|")
			}
			for i, cell := range cells {
				cells[i] = regexp.MustCompile("`[^`]+`").ReplaceAllString(cell, "C")
			}
			rest.WriteString(strings.Join(cells, "|"))
		case isEnd:
			fence = ""
			rest.WriteString("F\n")
		}
	}
	return rest.String()
}

func TestMarkdownIsCutBelow60KB(t *testing.T) {
	const workloads, findings = 1000, 1000
	page := report.Page{}
	for i := range workloads {
		w := under(outcome.Outcome{Decision: decision.Injected, Changes: []decision.Change{
			{Verb: decision.Adds, Path: "spec/volumes", Key: fmt.Sprintf("volume-%d", i)},
		}})
		w.Object = finding.Object{Kind: "Pod", Name: fmt.Sprintf("pod-%d", i)}
		w.Edits = edit.Whole(nil, bytes.Repeat([]byte("```long\n"), 10+i%100))
		page.Run.Workloads = append(page.Run.Workloads, w)
	}
	for i := range findings {
		page.Run.General = append(page.Run.General, finding.Finding{Severity: finding.Error, Code: finding.InvalidItem, Message: fmt.Sprint(i)})
	}
	text := write(t, "markdown", page)
	if len(text) < 58_000 || len(text) > 60_000 {
		t.Errorf("it has %d bytes", len(text))
	}
	rows, diffs := strings.Count(text, "| `pod/"), strings.Count(text, "<details>")
	if strings.Count(text, "\n- ") != 1+11+11 || !strings.Contains(text, "\n- **... and 990 more errors or warnings**\n") {
		t.Errorf("its lines are not those that matter:\n%.5000s", text)
	}
	if rows == 0 || diffs == 0 || diffs != strings.Count(text, "\n````\n\n</details>\n") {
		t.Errorf("%d rows and %d diffs", rows, diffs)
	}
	end := fmt.Sprintf("\n**Left out: %d more rows, %d more diffs.** `pillion explain -o wide` and `pillion diff` print all.\n",
		workloads-rows, workloads-diffs)
	if !strings.HasSuffix(text, end) {
		t.Errorf("it ends with %q, want %q", text[len(text)-200:], end)
	}
}
