package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/report"
)

// errDiffers ends diff with exit code 1.
var errDiffers = errors.New("there are changes")

func newDiff() *cobra.Command {
	in := &input{}
	return in.runs(&cobra.Command{
		Use:   "diff [-c CONFIG] [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Show what inject would change",
		Long: `Diff shows what inject would change, as a unified diff that patch and git apply accept.
The action Verify is ignored: diff shows what Inject would change.

` + manifestsHelp + `

As with kubectl diff, the exit code is 0 if nothing would change, 1 if something would, and
2 or more if there is an error.`,
		Example: `  # Show what would change in a directory tree.
  pillion diff -c injector.yaml -f k8s/ -R

  # Show what would change in the output of a kustomization.
  pillion diff -c injector.yaml -k overlays/prod`,
	}, engine.Config.Showing, func(_ context.Context, cmd *cobra.Command, w *verbRun) error {
		w.Run.DryRun = true
		err := writeDiff(cmd.OutOrStdout(), w, in.diffStyle(cmd.OutOrStdout()))
		if err == nil {
			err = in.finishVerified(cmd.ErrOrStderr(), w.Run)
		}
		if err == nil && slices.ContainsFunc(w.Texts, func(changed []byte) bool { return changed != nil }) {
			err = errDiffers
		}
		return err
	})
}

// writeDiff writes the diff of each text that changes.
func writeDiff(to io.Writer, w *verbRun, style func(diff []byte) []byte) error {
	buffered := bufio.NewWriterSize(to, 1<<16)
	written := slices.DeleteFunc(slices.Clone(w.Run.Workloads), func(one *outcome.Workload) bool { return !one.IsWritten })
	for i, edits := range w.Edits {
		if len(edits) == 0 {
			continue
		}
		before := w.manifests[i]
		var hunks []byte
		hunks, written = report.Hunks(before.Text, edits, written)
		buffered.Write(style(report.UnifiedDiff(diffName(before.File), hunks))) //nolint:errcheck // Flush returns the error
	}
	return buffered.Flush()
}

// diffStyle returns what makes a diff readable for people: on a terminal, or with colours, it is not for patch, which
// needs the exact bytes.
func (in *input) diffStyle(to io.Writer) func(diff []byte) []byte {
	switch {
	case in.colours(to):
		return func(diff []byte) []byte { return report.ColourDiff(report.EscapeDiff(diff)) }
	case isTerminal(to):
		return report.EscapeDiff
	}
	return func(diff []byte) []byte { return diff }
}

// diffName returns the path after the a/ and b/ of a diff, with which patch -p1 finds the file: run it in the root
// directory for an absolute path, and in the directory above for a path that starts with "../", which patch refuses.
func diffName(path string) string {
	if path == files.Stdin {
		return "stdin"
	}
	path = strings.TrimPrefix(filepath.ToSlash(filepath.Clean(path)), "/")
	for strings.HasPrefix(path, "../") {
		path = strings.TrimPrefix(path, "../")
	}
	return path
}
