package command

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/report"
)

// voice is how a verb speaks on standard error.
type voice struct {
	colour  choice
	quiet   bool
	verbose bool
	github  bool
}

func (v *voice) addFlags(flags *pflag.FlagSet) {
	v.colour = choice{value: "auto", from: []string{"auto", "always", "never"}}
	flags.BoolVarP(&v.quiet, "quiet", "q", false, "say errors only")
	flags.BoolVarP(&v.verbose, "verbose", "v", false, "say every decision, and every file that is passed over")
	flags.Var(&v.colour, "color", "`WHEN` to colour: "+v.colour.list()+"; auto is on a terminal, unless NO_COLOR is set")
	flags.BoolVar(&v.github, "github", false, "say findings as workflow commands, which GitHub shows beside the lines")
}

// say writes what a run has to say.
func (v *voice) say(w io.Writer, run outcome.Run) error {
	line := report.Line
	switch {
	case v.github:
		line = report.GitHubLine
	case v.colours(w):
		line = report.ColourLine
	}
	switch {
	case v.quiet:
		return report.Text(w, run.Findings(), finding.Error, line)
	case v.verbose:
		return report.RunText(w, run, finding.Info, line)
	default:
		return report.RunText(w, run, run.Level, line)
	}
}

// colours tells whether to write colours to a stream.
func (v *voice) colours(w io.Writer) bool {
	switch v.colour.value {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// sayPassed counts what lay in directories and was not read. The words say of
// what, as in "passed over".
func (v *voice) sayPassed(w io.Writer, words string, passed []files.Passed) {
	if !v.verbose { // what somebody has put on a list of what to ignore is no surprise
		passed = slices.DeleteFunc(slices.Clone(passed), func(p files.Passed) bool { return p.Why == files.Ignored })
	}
	if len(passed) == 0 || v.quiet {
		return
	}
	var order []files.Why
	counts := map[files.Why]int{}
	for _, p := range passed {
		if v.verbose {
			fmt.Fprintf(w, "%s %s: %s\n", words, report.OneLine(p.Path), p.Why)
		}
		if counts[p.Why] == 0 {
			order = append(order, p.Why)
		}
		counts[p.Why]++
	}
	shown := make([]string, len(order))
	for i, why := range order {
		shown[i] = fmt.Sprintf("%d %s", counts[why], why.Plural(counts[why]))
	}
	hint := "; -v names them"
	if v.verbose {
		hint = ""
	}
	fmt.Fprintf(w, "%s: %s%s\n", words, strings.Join(shown, ", "), hint)
}

func terminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// choice is a flag whose value is one of a few words.
type choice struct {
	value string
	from  []string
}

func (c *choice) String() string { return c.value }

// Type is what help shows behind the flag.
func (*choice) Type() string { return "string" }

// Set takes one of the words.
func (c *choice) Set(value string) error {
	for _, known := range c.from {
		if value == known {
			c.value = value
			return nil
		}
	}
	return fmt.Errorf("take one of %s", c.list())
}

func (c *choice) list() string { return strings.Join(c.from, ", ") }

// complete offers the words to the shell.
func (c *choice) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.from, cobra.ShellCompDirectiveNoFileComp
}
