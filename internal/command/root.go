// Package command is the command line. Without a verb it is the function that kustomize and
// kpt run.
package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/report"
)

// errFailed ends the command with exit code 1 after everything has been said.
var errFailed = errors.New("failed")

// Run runs the command line and returns the exit code.
func Run(args []string, in io.Reader, out, say io.Writer) int {
	root := New()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(say)
	cmd, err := root.ExecuteC()
	if err != nil && !errors.Is(err, errFailed) && !errors.Is(err, errDiffers) {
		fmt.Fprintln(say, "error:", oneLines(err))
	}
	return exitCode(cmd.Name(), err)
}

// oneLines escapes what names of files bring into an error; the lines of several errors stay lines.
func oneLines(err error) string {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return report.OneLine(err.Error())
	}
	var lines []string
	for _, one := range joined.Unwrap() {
		lines = append(lines, report.OneLine(one.Error()))
	}
	return strings.Join(lines, "\n")
}

// exitCode is what the shell sees: those of kubectl diff where that is asked, and else 0 or 1.
func exitCode(verb string, err error) int {
	const interrupted = 130 // 128 and the number of the signal, as shells have it
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errInterrupted):
		return interrupted
	case verb == "diff" && !errors.Is(err, errDiffers):
		return 2
	default:
		return 1
	}
}

// New is the command line, for running it and for writing its documentation.
func New() *cobra.Command {
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
			if isTerminal(cmd.InOrStdin()) {
				return cmd.Help() // nobody types a ResourceList
			}
			return function(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	root.Flags().Bool("version", false, "print the version") // without cobra's -v, which means verbose to the verbs
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.AddGroup(&cobra.Group{ID: "run", Title: "On manifests:"}, &cobra.Group{ID: "begin", Title: "To begin with:"})
	for _, cmd := range []*cobra.Command{newInject(), newRemove(), newDiff(), newExplain()} {
		cmd.GroupID = "run"
		root.AddCommand(cmd)
	}
	for _, cmd := range []*cobra.Command{newInit(), newSchema()} {
		cmd.GroupID = "begin"
		root.AddCommand(cmd)
	}
	root.AddCommand(newExport(), newVersion())
	return root
}

const about = `Pillion puts sidecars into pods before the manifests reach the cluster.

On files, it has verbs. Without a verb it is a KRM function: it reads a ResourceList on
standard input, finds the Pods and pod templates that its functionConfig selects, merges
the sidecar's containers and volumes into them, and writes the ResourceList to standard
output. The functionConfig is a SidecarInjector (pillion.dev/v1alpha1), a
SidecarInjectorList, an OpenKruise SidecarSet, or a ConfigMap whose data.config holds
containers, initContainers and volumes. The verbs take the same configs.

Every workload gets a decision with a reason, in the results and on standard error. On
any error the items come out as they went in, and the exit code is 1.`

const examples = `  # On files: see what would change, then change it.
  pillion diff -c injector.yaml -f k8s/ -R
  pillion inject -c injector.yaml -f k8s/ -R -i

  # As a transformer of a kustomization: annotate the SidecarInjector with
  #   config.kubernetes.io/function: "exec: {path: pillion}"
  # and list it under transformers.
  kustomize build --enable-alpha-plugins --enable-exec .

  # In a kpt package: list it in the Kptfile under pipeline.mutators, as
  #   - exec: pillion
  #     configPath: injector.yaml
  kpt fn render --allow-exec

  # Once, without touching the Kptfile.
  kpt fn eval --exec pillion --fn-config injector.yaml`
