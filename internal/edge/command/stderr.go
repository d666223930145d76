package command

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/escape"
)

// messages are the flags for what a verb prints to standard error.
type messages struct {
	colour   choice
	quiet    bool
	verbose  bool
	verifies bool // whether what is left out is an error, and ignored files are counted without verbose, too
}

func (m *messages) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	m.colour = choice{value: "auto", from: []string{"auto", "always", "never"}}
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "print errors only")
	flags.BoolVarP(&m.verbose, "verbose", "v", false, "print every decision, and every file that is passed over")
	m.colour.addFlag(cmd, "color", "", "`WHEN` to use colours", "; auto uses them on a terminal unless NO_COLOR is set")
}

// finish writes the findings of a run, and returns errFailed if the run failed.
func (m *messages) finish(w io.Writer, run outcome.Run) error {
	var err error
	line := m.lineFor(w)
	switch {
	case m.quiet:
		err = report.RunFindings(w, run, finding.Error, line)
	case m.verbose:
		err = report.RunSummary(w, run, finding.Info, line)
	default:
		err = report.RunSummary(w, run, run.Level, line)
	}
	if err == nil && run.Failed() {
		err = errFailed
	}
	return err
}

// lineFor returns how findings are written to a stream.
func (m *messages) lineFor(w io.Writer) func(finding.Finding) string {
	if m.colours(w) {
		return report.ColourLine
	}
	return finding.Finding.String
}

// colours reports whether to write colours to a stream.
func (m *messages) colours(w io.Writer) bool {
	switch m.colour.value {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// writePassed writes how many files in directories were passed over, for each reason.
func (m *messages) writePassed(w io.Writer, prefix string, passed []files.Passed) {
	if m.quiet {
		return
	}
	var order []files.Why
	counts := map[files.Why]int{}
	for _, p := range passed {
		if p.Why == files.Ignored && !m.verbose && !m.verifies {
			continue
		}
		if m.verbose {
			fmt.Fprintf(w, "%s %s: %s%s\n", prefix, escape.Line(p.Path), p.Why, listedIn(p))
		}
		counts[p.Why]++
		if counts[p.Why] == 1 {
			order = append(order, p.Why)
		}
	}
	if len(order) == 0 {
		return
	}
	counted := make([]string, len(order))
	for i, why := range order {
		counted[i] = fmt.Sprintf("%d %s", counts[why], why.Plural(counts[why]))
		if why == files.UsedByOthers {
			counted[i] += ": " + countUsers(passed)
		}
	}
	hint := "; -v lists them"
	if m.verbose {
		hint = ""
	}
	fmt.Fprintf(w, "%s: %s%s\n", prefix, strings.Join(counted, ", "), hint)
}

// countUsers returns how many kustomizations the directories of others use, only those that use the most.
func countUsers(passed []files.Passed) string {
	const most = 3
	counts := map[string]int{}
	for _, p := range passed {
		if p.Why == files.UsedByOthers {
			counts[filepath.Dir(p.By)]++
		}
	}
	byCount := func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) }
	users := slices.SortedFunc(maps.Keys(counts), byCount)
	var texts []string
	for _, user := range users[:min(most, len(users))] {
		texts = append(texts, fmt.Sprintf("%d by %s", counts[user], escape.Line(user)))
		delete(counts, user)
	}
	if len(counts) > 0 {
		rest := 0
		for _, count := range counts {
			rest += count
		}
		texts = append(texts, fmt.Sprintf("%d by %d others", rest, len(counts)))
	}
	return strings.Join(texts, ", ")
}

func listedIn(p files.Passed) string {
	if p.By == "" {
		return ""
	}
	return ", listed in " + escape.Line(p.By)
}

func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
