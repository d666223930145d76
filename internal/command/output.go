package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/outcome"
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

// print prints the manifests, when all of them are made.
func (o *output) print(to io.Writer, w *work, result engine.Result) error {
	text, err := o.text(w, result)
	if err != nil {
		return err
	}
	if _, err := to.Write(text); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	return nil
}

// text is what is printed.
func (o *output) text(w *work, result engine.Result) ([]byte, error) {
	switch o.format.value {
	case "json":
		return jsonOf(w.after(result))
	case "name":
		return namesOf(result.Run.Workloads), nil
	default:
		return yamlOf(w.after(result))
	}
}

// writeBack writes the files that changed, and tells how many.
func (l *limit) writeBack(ctx context.Context, w *work, result engine.Result, bar *progress) (int, error) {
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

// after is all files as they are after the run, changed or not.
func (w *work) after(result engine.Result) []files.File {
	all := slices.Clone(w.manifests)
	for i, text := range result.Texts {
		if text != nil {
			all[i].Text = text
		}
	}
	return all
}

// namesOf are the names of the workloads that change, as kubectl writes names.
func namesOf(workloads []outcome.Workload) []byte {
	var b bytes.Buffer
	for _, w := range workloads {
		if w.Text != nil {
			b.WriteString(report.OneLine(nameOf(w.Object)) + "\n")
		}
	}
	return b.Bytes()
}
