package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/escape"
)

// output holds the flags for where changed manifests are written, and how.
type output struct {
	format choice
}

func (o *output) addFlags(cmd *cobra.Command, in *input) {
	cmd.Flags().BoolVarP(&in.inPlace, "in-place", "i", false,
		"write the changed manifests to their files, all of them or none, instead of printing them")
	o.format.addFlag(cmd, "output", "o", "output `FORMAT`", "; name prints the names of the workloads that change")
}

// check returns an error for flags that cannot be combined.
func (o *output) check(cmd *cobra.Command, in *input) error {
	switch {
	case in.inPlace && len(in.kustomizations) > 0:
		return fmt.Errorf("--in-place needs files to write to, and the manifests of -k %s are in none; "+
			"remove one of the flags", in.kustomizations[0])
	case len(in.kustomizations) > 1 || len(in.kustomizations) == 1 && in.recursive:
		return fmt.Errorf("%s prints the manifests of one kustomization; name one with -k, and leave out -R", cmd.Name())
	case in.inPlace && cmd.Flags().Changed("output"):
		return errors.New("--in-place prints nothing, so --output has no effect; remove one of the flags")
	}
	return nil
}

// print prints the manifests after all of them are created.
func (o *output) print(to io.Writer, w *verbRun) error {
	if o.format.value == "name" {
		return writeOutput(to, kubectlNames(w.Run.Workloads))
	}
	text, err := toYAML(w.after())
	if err != nil {
		return err
	}
	return writeOutput(to, text)
}

// writeOutput writes a text to standard output.
func writeOutput(to io.Writer, text []byte) error {
	if _, err := to.Write(text); err != nil {
		return outputError(err)
	}
	return nil
}

func outputError(err error) error { return fmt.Errorf("standard output cannot be written: %w", err) }

// writeBack writes the files that changed, and returns their number.
func writeBack(ctx context.Context, w *verbRun) (int, error) {
	var changes []files.Change
	for i, text := range w.Texts {
		file := w.manifests[i]
		if text == nil {
			continue
		}
		if file.File == files.Stdin {
			return 0, errors.New("--in-place cannot write to standard input; name the files with -f")
		}
		changes = append(changes, files.Change{Path: file.File, Before: file.Text, After: text})
	}
	return len(changes), writeFiles(ctx, changes)
}

// after returns all files with their new texts, changed or not.
func (w *verbRun) after() []files.File {
	all := make([]files.File, len(w.manifests))
	for i, source := range w.manifests {
		all[i] = files.File{Path: source.File, Text: source.Text}
		if w.Texts[i] != nil {
			all[i].Text = w.Texts[i]
		}
	}
	return all
}

// kubectlNames returns the names of the workloads that change, as kubectl prints them: deployment.apps/web.
func kubectlNames(workloads []*outcome.Workload) []byte {
	var b bytes.Buffer
	for _, w := range workloads {
		if !w.IsWritten {
			continue
		}
		b.WriteString(escape.Line(kubectlName(&w.Object)) + "\n")
	}
	return b.Bytes()
}

func kubectlName(o *finding.Object) string {
	kind := strings.ToLower(o.Kind)
	if group, _, ok := strings.Cut(o.APIVersion, "/"); ok {
		kind += "." + group
	}
	return kind + "/" + o.Name
}
