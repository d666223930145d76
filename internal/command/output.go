package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/report"
)

// output is where changed manifests go.
type output struct {
	inPlace bool
	format  choice
}

func (o *output) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&o.inPlace, "in-place", "i", false, "write the files back instead of printing them: all that changed, or none")
	cmd.Flags().VarP(&o.format, "output", "o", "the `FORMAT` to print: "+o.format.list()+"; name is the workloads that change")
	_ = cmd.RegisterFlagCompletionFunc("output", o.format.complete) // the flag is there
}

// check refuses flags that make no sense together, before anything is read.
func (o *output) check(cmd *cobra.Command, in *input) error {
	switch {
	case o.inPlace && in.kustomization != "":
		return fmt.Errorf("--in-place needs files to write to, and -k %s builds manifests that are in none; leave one of them out", in.kustomization)
	case o.inPlace && cmd.Flags().Changed("output"):
		return errors.New("--in-place prints nothing, so there is nothing for --output; leave one of them out")
	}
	return nil
}

// print prints the manifests.
func (o *output) print(to io.Writer, w *work, result fn.Result) error {
	buffered := bufio.NewWriterSize(to, 1<<16)
	var err error
	switch o.format.value {
	case "json":
		err = writeJSON(buffered, textsOf(w, result))
	case "name":
		err = writeNames(buffered, result.Rows)
	default:
		err = writeYAML(buffered, textsOf(w, result))
	}
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	return nil
}

// writeBack writes the files that changed, and tells how many.
func (l *limit) writeBack(ctx context.Context, w *work, result fn.Result, bar *progress) (int, error) {
	var changes []files.Change
	for i, text := range result.Texts {
		file := w.manifests[i]
		if text == nil {
			continue
		}
		if file.Path == files.Stdin {
			return 0, errors.New("--in-place cannot write to standard input; name the files with -f")
		}
		changes = append(changes, files.Change{Path: file.Path, Before: file.Text, After: text})
	}
	defer bar.clear()
	return len(changes), l.write(ctx, func(ctx context.Context) error { return files.Write(ctx, changes, bar.show) })
}

// textsOf are the texts of all sources, changed or not.
func textsOf(w *work, result fn.Result) [][]byte {
	texts := make([][]byte, len(w.sources))
	for i, source := range w.sources {
		if texts[i] = result.Texts[i]; texts[i] == nil {
			texts[i] = source.Text
		}
	}
	return texts
}

// writeYAML writes texts as one stream of documents. A single text comes out as it is.
func writeYAML(w *bufio.Writer, texts [][]byte) error {
	for i, text := range texts {
		if i > 0 && !bytes.HasPrefix(text, []byte("---")) {
			w.WriteString("---\n") //nolint:errcheck // the last write tells of it
		}
		w.Write(text) //nolint:errcheck // the last write tells of it
		if i < len(texts)-1 && !bytes.HasSuffix(text, []byte("\n")) {
			w.WriteByte('\n') //nolint:errcheck // the last write tells of it
		}
	}
	return w.Flush()
}

// writeNames writes the names of the workloads that change, as kubectl writes names.
func writeNames(w io.Writer, rows []report.Row) error {
	for _, row := range rows {
		if row.After == nil {
			continue
		}
		if _, err := fmt.Fprintln(w, report.OneLine(nameOf(row.Object))); err != nil {
			return err
		}
	}
	return nil
}
