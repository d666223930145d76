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
	cmd.Flags().BoolVarP(&o.inPlace, "in-place", "i", false, "write the changed files instead of printing manifests, all of them or none")
	o.format.addFlag(cmd, "output", "o", "the `FORMAT` to print", "; name prints the names of the workloads that change")
}

// check returns an error for flags that cannot be combined.
func (o *output) check(cmd *cobra.Command, in *input) error {
	switch {
	case o.inPlace && in.kustomization != "":
		return fmt.Errorf("--in-place needs files to write to, and the manifests of -k %s are in none; remove one of the flags", in.kustomization)
	case o.inPlace && cmd.Flags().Changed("output"):
		return errors.New("--in-place prints nothing, so --output has no effect; remove one of the flags")
	}
	return nil
}

// print prints the manifests after all of them are created.
func (o *output) print(to io.Writer, w *work, result engine.Result) error {
	text, err := o.text(w, result)
	if err != nil {
		return err
	}
	return writeOutput(to, text)
}

// writeOutput writes a text to standard output.
func writeOutput(to io.Writer, text []byte) error {
	if _, err := to.Write(text); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	return nil
}

// text returns the text to print.
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

// writeBack writes the files that changed, and returns their number.
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

// after returns all files with their new texts, changed or not.
func (w *work) after(result engine.Result) []files.File {
	all := slices.Clone(w.manifests)
	for i, text := range result.Texts {
		if text != nil {
			all[i].Text = text
		}
	}
	return all
}

// namesOf returns the names of the workloads that change, as kubectl prints names.
func namesOf(workloads []outcome.Workload) []byte {
	var b bytes.Buffer
	for _, w := range workloads {
		if w.Text != nil {
			b.WriteString(report.OneLine(nameOf(w.Object)) + "\n")
		}
	}
	return b.Bytes()
}
