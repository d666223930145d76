package command

import (
	"bufio"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/output/report"
)

// newPage returns the report of a verb, with the paths of its manifests as the title.
func newPage(cmd *cobra.Command, in *input, w *verbRun) report.Page {
	p := report.Page{Title: in.title(cmd), Run: w.Run, Injectors: w.config.Names()}
	switch {
	case in.quiet:
		p.Run.Level = finding.Error
	case in.verbose:
		p.Run.Level = finding.Info
	}
	return p
}

// title returns the paths of a verb as the title of its report.
func (in *input) title(cmd *cobra.Command) string {
	paths := slices.Concat(in.kustomizations, in.paths, cmd.Flags().Args())
	for i, path := range paths {
		if absolute, err := filepath.Abs(path); err == nil && strings.Trim(path, "./") == "" {
			paths[i] = filepath.Base(absolute) // "." tells a reader nothing
		}
	}
	if title := strings.Join(paths, " "); title != "" && title != "-" {
		return title
	}
	return "standard input"
}

// findingsTo returns where findings go beside a report: to standard error, unless the report itself is these lines.
func findingsTo(cmd *cobra.Command, format choice) io.Writer {
	if format.value == "github" {
		return io.Discard
	}
	return cmd.ErrOrStderr()
}

// writeReport writes a report to standard output, in the format with a name.
func writeReport[Page any](to io.Writer, formats page.Formats[Page], format string, p Page) error {
	buffered := bufio.NewWriterSize(to, 1<<16)
	if err := formats.Write(buffered, format, p); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return outputError(err)
	}
	return nil
}
