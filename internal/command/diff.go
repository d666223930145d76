package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/report"
)

// errDiffers ends diff with exit code 1.
var errDiffers = errors.New("there are changes")

func newDiff() *cobra.Command {
	in := &input{}
	return in.runs(&cobra.Command{
		Use:   "diff -c CONFIG [-f FILE|DIR|-]...",
		Short: "Show what inject would change",
		Long: `Diff shows what inject would change, as a unified diff that patch and git apply accept.

As with kubectl diff, the exit code is 0 if nothing would change, 1 if something would, and
2 or more if there is an error.`,
		Example: `  # Show what would change in a directory tree.
  pillion diff -c injector.yaml -f k8s/ -R

  # Fail if manifests were committed without their sidecars.
  pillion diff -c injector.yaml -f k8s/ -R > /dev/null`,
	}, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		w.config = w.config.Showing()
		result, err := w.apply(ctx)
		if err != nil {
			return err
		}
		changes, err := writeDiff(cmd.OutOrStdout(), w, result.Edits, in.colours(cmd.OutOrStdout()))
		if err != nil {
			return err
		}
		if err := in.writeReport(cmd.ErrOrStderr(), result.Run); err != nil {
			return err
		}
		switch {
		case result.Run.Failed():
			return errFailed
		case changes:
			return errDiffers
		}
		return nil
	})
}

// writeDiff writes the diff of each text that changes, and reports whether there is one.
func writeDiff(to io.Writer, w *work, edits [][]edit.Edit, colours bool) (changes bool, err error) {
	buffered := bufio.NewWriterSize(to, 1<<16)
	for i := range edits {
		if len(edits[i]) == 0 {
			continue
		}
		changes = true
		shown := report.UnifiedDiff(diffName(w.manifests[i].Path), edit.Unified(w.sources[i].Text, edits[i], 1, edit.Context))
		if colours {
			shown = report.ColourDiff(shown)
		}
		buffered.Write(shown) //nolint:errcheck // Flush returns the error
	}
	return changes, buffered.Flush()
}

// diffName returns the path to write after the a/ and b/ of a diff, such that patch -p1 finds the file: from the root for an
// absolute path, and from the directory above for one that starts with "../", which patch refuses.
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
