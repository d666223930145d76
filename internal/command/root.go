// Package command is the command line. Without a verb it is the function that kustomize and
// kpt run.
package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pillion.dev/pillion/fn"
)

// maxStream bounds what is read into memory: it is far above any real package.
const maxStream = 1 << 30

// errFailed ends the command with exit code 1 after everything has been said.
var errFailed = errors.New("failed")

// Run runs the command line and returns the exit code.
func Run(args []string, in io.Reader, out, say io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(say)
	err := root.Execute()
	if err == nil {
		return 0
	}
	if !errors.Is(err, errFailed) {
		_, _ = fmt.Fprintln(say, "error:", err) // there is nowhere left to say that saying failed
	}
	return 1
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "pillion",
		Short:         "Put sidecars into pods before the manifests reach the cluster",
		Long:          about,
		Example:       examples,
		Args:          noFiles,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       currentVersion(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if terminal, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(terminal.Fd())) {
				return cmd.Help() // nobody types a ResourceList
			}
			return function(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w; see pillion --help", err) })
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newExport(), newVersion())
	return root
}

// noFiles refuses arguments, which are most likely files.
func noFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("there is no verb %q, and files are not arguments: the function reads a ResourceList on standard input; see pillion --help", args[0])
}

const about = `Pillion puts sidecars into pods before the manifests reach the cluster.

It is a KRM function: it reads a ResourceList on standard input, finds the Pods and pod
templates that its functionConfig selects, merges the sidecar's containers and volumes
into them, and writes the ResourceList to standard output. The functionConfig is a
SidecarInjector (pillion.dev/v1alpha1), a SidecarInjectorList, or a ConfigMap whose
data.config holds containers, initContainers and volumes.

Every workload gets a decision with a reason, in the results and on standard error. On
any error the items come out as they went in, and the exit code is 1.`

const examples = `  # As a transformer of a kustomization: annotate the SidecarInjector with
  #   config.kubernetes.io/function: "exec: {path: pillion}"
  # and list it under transformers.
  kustomize build --enable-alpha-plugins --enable-exec .

  # In a kpt package: list it in the Kptfile under pipeline.mutators, as
  #   - exec: pillion
  #     configPath: injector.yaml
  kpt fn render --allow-exec

  # Once, without touching the Kptfile.
  kpt fn eval --exec pillion --fn-config injector.yaml`

// function has the whole reply before it writes a byte of it: an orchestrator takes an empty
// reply for "delete everything".
func function(in io.Reader, out, say io.Writer) error {
	text, err := readAll(in)
	if err != nil {
		return fmt.Errorf("standard input cannot be read: %w", err)
	}
	reply := bufio.NewWriterSize(out, 1<<16)
	report, err := fn.Run(text, reply)
	if err != nil {
		return err
	}
	if err := reply.Flush(); err != nil {
		return fmt.Errorf("standard output cannot be written: %w", err)
	}
	if err := report.Say(say); err != nil {
		return err
	}
	if report.Failed() {
		return errFailed
	}
	return nil
}

// readAll reads the stream into memory of its size, where that is known before.
func readAll(in io.Reader) ([]byte, error) {
	var text bytes.Buffer
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= maxStream {
			text.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	if _, err := text.ReadFrom(io.LimitReader(in, maxStream+1)); err != nil {
		return nil, err
	}
	if text.Len() > maxStream {
		return nil, fmt.Errorf("it is larger than %d MiB; split the package", maxStream>>20)
	}
	return text.Bytes(), nil
}
