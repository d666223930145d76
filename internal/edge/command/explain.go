package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/escape"
)

// objectName matches an object as kubectl names it: helmrelease/podinfo.
var objectName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z]+/[a-z0-9*?][a-z0-9.*?-]*$`)
})

func newExplain() *cobra.Command {
	in := &input{}
	format := choice{value: "table", from: report.Formats.Names()}
	cmd := in.runs(&cobra.Command{
		Use:   "explain [-c CONFIG] [-f FILE|DIR|-]... [FILE|DIR|-|KIND/NAME]...",
		Short: "Show for every workload what inject would do, and why",
		Long: `Explain lists every workload with the decision of inject, the reason, and what to do to
change the decision. It writes nothing except the report. The action Verify is ignored:
explain shows what Inject would do.

` + manifestsHelp + `

Refusals and warnings come first, then changes. A table with more than 30 rows shows only a
few of those that are equal; -o wide shows all.

What makes pods elsewhere, such as a HelmRelease, is listed as "not checked" or "covered".
KIND/NAME is like --name: only what has this name, with all that is known about it.

A workload that inject would refuse is not an error here, so that the report can show it. A
config that cannot be read is an error.`,
		Example: `  # Find out why a pod gets no sidecar.
  pillion explain -c injector.yaml -f k8s/ -R

  # Find out what is known about one object.
  pillion explain -c injector.yaml -f k8s/ -R deployment/web

  # See what the injectors of a config do, step by step.
  pillion explain -c injector.yaml -f k8s/ -R -v

  # Write a page for a pull request.
  pillion explain -c injector.yaml -f k8s/ -R -o html > report.html`,
	}, engine.Config.Showing, func(_ context.Context, cmd *cobra.Command, w *verbRun) error {
		w.Run.DryRun = true
		if w.Run.Failed() && len(w.Run.Workloads) == 0 {
			if format.value == "github" {
				if err := writeReport(cmd.OutOrStdout(), report.Formats, format.value, newPage(cmd, in, w)); err != nil {
					return err
				}
			}
			return in.finish(findingsTo(cmd, format), w.Run) // there is nothing to explain
		}
		if in.verbose {
			writePlans(cmd.ErrOrStderr(), w.config)
		}
		page := newPage(cmd, in, w)
		if err := writeReport(cmd.OutOrStdout(), report.Formats, format.value, page); err != nil {
			return err
		}
		err := in.finishExplained(cmd, format, page)
		if errors.Is(err, errFailed) {
			return nil
		}
		return err
	})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		isName := func(arg string) bool { return objectName().MatchString(arg) && !exists(filepath.Dir(arg)) }
		for _, arg := range args {
			if isName(arg) {
				in.names = append(in.names, strings.ToLower(arg))
			}
		}
		return run(cmd, slices.DeleteFunc(args, isName))
	}
	format.addFlag(cmd, "output", "o", "output `FORMAT`", "")
	cmd.Flags().Lookup("verbose").Usage = "print the plan of each injector, every decision, and every file that is passed over"
	return cmd
}

// finishExplained writes the findings of a run, without those that a table has already shown.
func (m *messages) finishExplained(cmd *cobra.Command, format choice, page report.Page) error {
	isWide := format.value == "wide"
	if (isWide || format.value == "table") && !m.verbose {
		return report.BesideTable(cmd.ErrOrStderr(), page, isWide, m.lineFor(cmd.ErrOrStderr()))
	}
	return m.finish(findingsTo(cmd, format), page.Run)
}

// writePlans writes what each injector does, whatever the manifests are.
func writePlans(w io.Writer, config engine.Config) {
	for _, in := range config.Injectors() {
		for _, line := range in.Plan().Words() {
			fmt.Fprintln(w, escape.Line(line))
		}
	}
}
