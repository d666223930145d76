package command

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/report"
)

func newVerify() *cobra.Command {
	in := &input{}
	in.verifies = true
	outdated := choice{value: "error", from: []string{"error", "warn"}}
	format := choice{from: report.Formats.Names()}
	cmd := in.runs(&cobra.Command{
		Use:   "verify [-c CONFIG] [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Fail if inject would change something",
		Long: `Verify is for CI: it changes nothing, and fails if inject would change something. It prints
each such workload as outdated, with the file, line and column and what would change, and
the command that changes these workloads and no others. What is the same for several
workloads is printed once, with a list of them; -v prints a line for each. The spec.action
of the config may be Inject, Verify or Remove.

` + manifestsHelp + `

With -k, or with -R for the kustomizations in a directory, a workload is an error if a patch
changes the sidecar that its files have (PatchedAway).

An injector that selects none of the workloads is an error, unless it has expect: {min: 0}
or flags choose some of them: such a check would always succeed.

A workload that is left out, such as by an ignore file, is an error too, unless --exclude
names its file. So is what inject only warns about: an object that seems to hold pods and
whose kind is not known (UnsupportedKind), a sidecar without a stamp (Unstamped), and what
makes pods elsewhere, such as a HelmRelease (NotRendered), unless they are in this run too
or the project file covers it with a reason.

The exit codes are those of diff: 0 if nothing would change, 1 if something would, or if a
kind is not known, a stamp is missing, an object is left out or pods are made elsewhere, and
2 or more if there is another error, such as a workload that inject would refuse.`,
		Example: `  # Fail if manifests were committed without their sidecars.
  pillion verify -c injector.yaml -f k8s/ -R

  # The same with annotations on a pull request in GitHub.
  pillion verify -c injector.yaml -f k8s/ -R -o github

  # Write a comment for a pull request.
  pillion verify -c injector.yaml -f k8s/ -R -o markdown > comment.md

  # Verify what all overlays build.
  pillion verify -c injector.yaml -k overlays -R`,
	}, engine.Config.Verifying, func(_ context.Context, cmd *cobra.Command, w *verbRun) error {
		w.Run.AcceptsOlder = outdated.value == "warn"
		w.Run.DryRun = true
		w.Run = w.Run.Verified()
		w.Run = w.Run.WithRemedy(remedy(cmd, in, w))
		if format.value != "" {
			if err := writeReport(cmd.OutOrStdout(), report.Formats, format.value, newPage(cmd, in, w)); err != nil {
				return err
			}
		}
		return in.finishVerified(findingsTo(cmd, format), w.Run)
	})
	const usage = "what a workload with a sidecar of an older config is, as in a rollout in parts"
	outdated.addFlag(cmd, "outdated", "", usage, "")
	format.addFlag(cmd, "output", "o", "print a report in this `FORMAT`", "")
	return cmd
}

// finishVerified writes the findings of a verified run. It returns errDiffers if something would change, and errFailed
// for other errors.
func (m *messages) finishVerified(w io.Writer, run outcome.Run) error {
	err := m.finish(w, run)
	if errors.Is(err, errFailed) && run.IsOnlyOutdated() {
		return errDiffers
	}
	return err
}
