package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/page"
	"pillion.dev/pillion/internal/report"
)

// newPage returns the report of a verb, with the paths of its manifests as the title.
func newPage(cmd *cobra.Command, in *input, w *work) report.Page {
	return report.Page{Title: in.title(cmd), Run: w.Run, Injectors: w.config.Names()}
}

// title returns the paths of a verb as the title of its report.
func (in *input) title(cmd *cobra.Command) string {
	title := strings.Join(slices.Concat(in.paths, cmd.Flags().Args()), " ")
	switch {
	case in.kustomization != "":
		return in.kustomization
	case title == "" || title == "-":
		return "standard input"
	}
	return title
}

// writeReport writes a report to standard output, in the format with a name.
func writeReport[Page any](to io.Writer, formats page.Formats[Page], format string, p Page) error {
	buffered := bufio.NewWriterSize(to, 1<<16)
	if err := formats.Write(buffered, format, p); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	return nil
}
