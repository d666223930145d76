package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/spelling"
)

// learnFlags are the flags of learn.
type learnFlags struct {
	before, after []string
	name          string
	keepSecrets   bool
	checks        bool
	input
}

func newLearn() *cobra.Command {
	flags := &learnFlags{}
	cmd := &cobra.Command{
		Use:   "learn [BEFORE AFTER] [--before PATH]... [--after PATH]...",
		Short: "Write the config that turns pods into what a webhook made of them",
		Long: `Learn compares pods before and after something changed them, such as a webhook or another
tool, and prints a SidecarInjector that makes the same changes.

Before are manifests as in Git. After is what runs, as kubectl get prints it, what
kubectl create --dry-run=server returns for a pod, or the output of a tool such as
istioctl kube-inject. Pods belong to their owners, and everything else is found by kind,
namespace and name. What the API server adds itself is left out.

With several pods, values that differ and are a name, a label or an annotation become
variables, and what tells the pods with the sidecar from those without becomes a condition.
If one pod differs from most others, the config has what most of them have. Whatever the
config does not express is listed as a warning, and in its comments.

The exit code is 0 if something was learned, and 1 if not, or if --check finds a difference.
A credential that is hidden is a difference, too.`,
		Example: `  # Learn from two versions of a pod.
  pillion learn before.yaml after.yaml > injector.yaml

  # Learn from all pods of a cluster, and check the result: kubectl get pods -A -o yaml > pods.yaml
  pillion learn --before k8s/ --after pods.yaml --check > injector.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.learn(cmd.Context(), cmd, args)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringArrayVar(&flags.before, "before", nil, "`PATH` of a file or directory with manifests, or -; can be repeated")
	cmd.Flags().StringArrayVar(&flags.after, "after", nil, "`PATH` of a file or directory with what became of them, or -; can be repeated")
	cmd.Flags().BoolVarP(&flags.recursive, "recursive", "R", false, "include subdirectories")
	cmd.Flags().StringVar(&flags.name, "name", "", "`NAME` of the injector; the default is that of its first container")
	cmd.Flags().BoolVar(&flags.checks, "check", false, "inject into all manifests what was learned, and print what differs")
	cmd.Flags().BoolVar(&flags.keepSecrets, "keep-secrets", false, "write values that look like credentials, instead of a placeholder")
	cmd.Flags().BoolVarP(&flags.quiet, "quiet", "q", false, "print errors only, besides the config")
	cmd.Flags().BoolVarP(&flags.verbose, "verbose", "v", false, "print every file that is passed over")
	return cmd
}

func (f *learnFlags) learn(ctx context.Context, cmd *cobra.Command, args []string) error {
	if len(args) == 2 && len(f.before)+len(f.after) == 0 {
		f.before, f.after, args = args[:1], args[1:], nil
	}
	switch {
	case len(args) > 0 || len(f.before) == 0 || len(f.after) == 0:
		return errors.New("learn needs two versions of pods: pillion learn BEFORE AFTER, or --before and --after, which can be repeated")
	case slices.Contains(f.before, "-") && slices.Contains(f.after, "-"):
		return errors.New("standard input (-) is named for both before and after; it can be only one of them")
	}
	before, err := f.readSide(ctx, cmd, "--before", f.before)
	if err != nil {
		return err
	}
	after, err := f.readSide(ctx, cmd, "--after", f.after)
	if err != nil {
		return err
	}
	matched, err := learn.Match(before, after, f.keepSecrets)
	w := cmd.ErrOrStderr()
	_ = f.writeFindings(w, matched.Broken) // none of them is an error
	if err != nil {
		return err
	}
	if !f.quiet {
		fmt.Fprintf(w, "compared: %s; without a counterpart: %d before, %d after\n",
			spelling.Plural(len(matched.Pairs), "pair"), matched.NotAfter, matched.NotBefore)
	}
	learned, err := learn.From(ctx, matched.Pairs, f.name)
	_ = f.writeFindings(w, learned.Findings) // all of them are warnings
	if err == nil {
		err = writeOutput(cmd.OutOrStdout(), learned.Text)
	}
	if err == nil && f.checks {
		err = f.writeChecks(w, learned)
	}
	return err
}

// readSide reads the objects of one side.
func (f *learnFlags) readSide(ctx context.Context, cmd *cobra.Command, flag string, paths []string) ([]*manifest.Item, error) {
	reader := files.Reader{Recursive: f.recursive, Stdin: cmd.InOrStdin(), Take: files.Manifests}
	found, err := reader.Read(ctx, paths)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	f.writePassed(cmd.ErrOrStderr(), "passed over for "+flag, found.Passed)
	var all []*manifest.Item
	for _, file := range found.Files {
		items, err := file.Items()
		if err != nil {
			return nil, fmt.Errorf("%s %s", file.Path, describeText(file.Text, err))
		}
		all = append(all, items...)
	}
	return all, nil
}

// writeChecks writes how many pairs came out equal, and the differences of the others. It returns errDiffers if there
// are any.
func (f *learnFlags) writeChecks(w io.Writer, learned learn.Learned) error {
	equal := 0
	for _, c := range learned.Checks {
		if c.IsEqual() {
			equal++
			continue
		}
		fmt.Fprintln(w, escape.Line(c.Pair.Object.String()))
		if c.Refused != "" {
			fmt.Fprintln(w, escape.Line("  refused: "+c.Refused))
		}
		for _, d := range c.Differences {
			fmt.Fprintln(w, escape.Line("- "+d.Path()+": "+learn.Shown(d.Got)))
			fmt.Fprintln(w, escape.Line("+ "+d.Path()+": "+learn.Shown(d.Want)))
		}
	}
	fmt.Fprintf(w, "equal after the injection: %d of %s\n", equal, spelling.Plural(len(learned.Checks), "pod template"))
	isHidden := slices.ContainsFunc(learned.Findings, func(f finding.Finding) bool { return f.Code == finding.CredentialHidden })
	if isHidden {
		fmt.Fprintln(w, "not equal until the placeholders of credentials are replaced")
	}
	if equal < len(learned.Checks) || isHidden {
		return errDiffers
	}
	return nil
}
