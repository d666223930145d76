// Package command is the command line. Without a command, it runs the KRM function for kustomize and kpt.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/text/escape"
)

// errFailed ends the command with exit code 1. The findings are printed already.
var errFailed = errors.New("failed")

// Run runs the command line and returns the exit code.
func Run(args []string, in io.Reader, out, stderr io.Writer) int {
	verb, err := execute(args, in, out, stderr)
	if err != nil && !errors.Is(err, errFailed) && !errors.Is(err, errDiffers) {
		fmt.Fprintln(stderr, "error:", escapeLines(err))
	}
	return exitCode(verb, err)
}

// execute runs the command line and returns the name of the command. The function is called most often, once for each
// render, and does not need the commands and their flags.
func execute(args []string, in io.Reader, out, stderr io.Writer) (verb string, err error) {
	if len(args) == 0 && !isTerminal(in) {
		return "", function(context.Background(), in, out, stderr)
	}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(stderr)
	addCommands(root, args)
	cmd, err := root.ExecuteC()
	return cmd.Name(), err
}

// escapeLines escapes control characters, which the names of files may contain. Joined errors stay one per line.
func escapeLines(err error) string {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return escape.Line(err.Error())
	}
	var lines []string
	for _, err := range joined.Unwrap() {
		lines = append(lines, escape.Line(err.Error()))
	}
	return strings.Join(lines, "\n")
}

// exitCode returns the exit code of a command. Those of diff, verify, test and audit are the same as of kubectl diff.
func exitCode(verb string, err error) int {
	const interrupted = 130 // 128 plus the number of the signal, as in shells
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errInterrupted):
		return interrupted
	case slices.Contains([]string{"diff", "verify", "test", "audit"}, verb) && !errors.Is(err, errDiffers):
		return 2
	default:
		return 1
	}
}

// New returns the root command, with all commands.
func New() *cobra.Command {
	root := newRoot()
	addCommands(root, nil)
	return root
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "pillion",
		Short:         "Inject sidecars into Kubernetes manifests before they reach the cluster",
		Long:          about + "\n\n" + aboutFunction,
		Example:       examples + "\n\n" + functionExamples,
		Args:          cobra.ArbitraryArgs, // run refuses them, unless there is --version or --doc
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          run,
	}
	// Not cobra's own flag: its shorthand -v means verbose in the commands, and its template would link all methods of
	// all types.
	root.Flags().Bool("version", false, "print the version, and the commit it was built from")
	root.Flags().Bool("doc", false, "print the documentation of the function as JSON, for catalogues of kpt functions")
	root.SetFlagErrorFunc(explainFlag)
	root.AddGroup(&cobra.Group{ID: "run", Title: "Run on manifests:"}, &cobra.Group{ID: "look", Title: "Look at a cluster:"},
		&cobra.Group{ID: "begin", Title: "Get started:"}, &cobra.Group{ID: "export", Title: "For tools that cannot run Pillion:"})
	cobra.EnableCommandSorting = false // the order of commands is that of a day's work
	name := root.Use
	if strings.HasPrefix(filepath.Base(os.Args[0]), "kubectl-") { // as krew installs it
		name = "kubectl pillion"
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	named := strings.NewReplacer("  pillion ", "  "+name+" ", "| pillion ", "| "+name+" ")
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			cmd.Example = named.Replace(cmd.Example)
			help(cmd, args)
			return
		}
		root.Long, root.Example = about, "" // the commands come first, and the function is at the end
		help(root, args)
		fmt.Fprintf(root.OutOrStdout(), "\nExamples:\n%s\n\n%s\n\n%s\n", named.Replace(examples), aboutFunction, functionExamples)
	})
	return root
}

// addCommands adds the command that the arguments begin with, or all commands if they begin with something else.
// Creating the flags of all commands takes longer than running a small one.
func addCommands(root *cobra.Command, args []string) {
	all := commands()
	isWanted := func(c command) bool { return len(args) > 0 && c.name == args[0] }
	if i := slices.IndexFunc(all, isWanted); i >= 0 {
		all = all[i : i+1]
	}
	for _, c := range all {
		cmd := c.create()
		cmd.GroupID = c.group
		root.AddCommand(cmd)
	}
	root.InitDefaultHelpCmd()
	if len(args) > 0 && args[0] == "completion" {
		root.InitDefaultCompletionCmd(args...)
		if completion, _, err := root.Find(args[:1]); err == nil {
			completion.Args = cobra.ArbitraryArgs
			completion.RunE = refuseShell
		}
	}
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.PreRunE = refuseTopic
	}
}

// command is a command that is not created yet, with its group in the help.
type command struct {
	name, group string
	create      func() *cobra.Command
}

func commands() []command {
	return []command{
		{"inject", "run", newInject},
		{"diff", "run", newDiff},
		{"verify", "run", newVerify},
		{"explain", "run", newExplain},
		{"remove", "run", newRemove},
		{"validate", "run", newValidate},
		{"test", "run", newTest},
		{"audit", "look", newAudit},
		{"init", "begin", newInit},
		{"learn", "begin", newLearn},
		{"export", "export", newExport},
		{"version", "", newVersion},
		{"schema", "", newSchema},
	}
}

// run runs the program without a command: as a function, or for --version or --doc.
func run(cmd *cobra.Command, args []string) error {
	version, _ := cmd.Flags().GetBool("version")
	doc, _ := cmd.Flags().GetBool("doc")
	switch {
	case version:
		return printVersion(cmd)
	case doc:
		return printDoc(cmd.OutOrStdout())
	case len(args) > 0:
		return refuseArguments(cmd, args)
	case isTerminal(cmd.InOrStdin()):
		return cmd.Help() // a ResourceList is never typed
	}
	return function(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
}

const about = `Pillion injects sidecars into Kubernetes manifests before they reach the cluster.

It reports a decision and its reason for every workload. If there is an error, it changes
nothing.`

const aboutFunction = `Without a command, Pillion is a KRM function: it reads a ResourceList from standard input,
adds the sidecars that its functionConfig declares, and writes the ResourceList to standard
output, with results. The functionConfig is what the commands take as a config: a
SidecarInjector (pillion.dev/v1alpha1), a SidecarInjectorList, an OpenKruise SidecarSet, or
a ConfigMap with containers, initContainers and volumes in data.config. If there is an
error, it returns all items unchanged and exits with 1.`

const examples = `  # Show what would change in files, then change them.
  pillion diff -c injector.yaml -f k8s/ -R
  pillion inject -c injector.yaml -f k8s/ -R -i

  # Fail in CI if the files lack their sidecars.
  pillion verify -c injector.yaml -f k8s/ -R

  # Show which pods of a cluster lack their sidecars, or run old ones.
  kubectl get pods -A -o json | pillion audit -c injector.yaml -f -`

const functionExamples = `  # Run it as a transformer of a kustomization: annotate the SidecarInjector with
  #   config.kubernetes.io/function: "exec: {path: pillion}"
  # and list it under transformers.
  kustomize build --enable-alpha-plugins --enable-exec .

  # Run it in a kpt package: list it in the Kptfile under pipeline.mutators, as
  #   - exec: pillion
  #     configPath: injector.yaml
  kpt fn render --allow-exec

  # Run it once, without changing the Kptfile.
  kpt fn eval --exec pillion --fn-config injector.yaml`
