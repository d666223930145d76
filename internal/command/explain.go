package command

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/report"
)

func newExplain() *cobra.Command {
	in := &input{}
	format := choice{value: "table", from: report.Formats()}
	cmd := in.runs(&cobra.Command{
		Use:   "explain -c CONFIG [-f FILE|DIR|-]...",
		Short: "Say of every workload what inject would do, and why",
		Long: `Explain shows every workload with the decision of inject, its reason, and what would change it.
Nothing is written but the report.

A workload that inject would refuse is no error here, so that a report can be made of it; a
config that cannot be read is.`,
		Example: `  # Why did this pod get no sidecar?
  pillion explain -c injector.yaml -f k8s/ -R

  # A page to look at in a pull request.
  pillion explain -c injector.yaml -f k8s/ -R -o html > report.html

  # For the code scanning page of a forge.
  pillion explain -c injector.yaml -f k8s/ -R -o sarif > pillion.sarif`,
	}, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		w.config = w.config.Showing()
		result, err := w.apply(ctx)
		if err != nil {
			return err
		}
		explained := !result.Run.Failed() || len(result.Run.Workloads) > 0
		if explained {
			buffered := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
			if err := report.FormatOf(format.value)(buffered, pageOf(in, w, result)); err != nil {
				return err
			}
			if err := buffered.Flush(); err != nil {
				return fmt.Errorf("standard output cannot be written: %w", err)
			}
		}
		if err := in.say(cmd.ErrOrStderr(), result.Run); err != nil {
			return err
		}
		if !explained {
			return errFailed
		}
		if warnings := finding.Count(result.Run.Findings(), finding.Warning); warnings > 0 && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), outcome.Plural(warnings, "warning"))
		}
		return nil
	})
	cmd.Flags().VarP(&format, "output", "o", "the `FORMAT` of the report: "+format.list())
	_ = cmd.RegisterFlagCompletionFunc("output", format.complete) // the flag is there
	return cmd
}

func pageOf(in *input, w *work, result engine.Result) report.Page {
	title := strings.Join(in.paths, " ")
	switch {
	case in.kustomization != "":
		title = in.kustomization
	case title == "" || title == "-":
		title = "standard input"
	}
	return report.Page{Title: title, Run: result.Run, Injectors: w.config.Names()}
}
