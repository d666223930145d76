package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/outcome"
)

// work is a config, the manifests that it ran on, and the result.
type work struct {
	config    engine.Config
	verifies  bool // whether the config has the action Verify, which the verb may ignore
	manifests []files.File
	passed    []files.Passed // in the directories of the manifests
	engine.Result
}

// adapter changes a config for a verb.
type adapter func(engine.Config) engine.Config

// resultWriter prints or writes the result of a verb.
type resultWriter func(context.Context, *cobra.Command, *work) error

// runs completes a command that runs the config of its flags on the manifests of its flags and arguments.
func (in *input) runs(cmd *cobra.Command, adapt adapter, show resultWriter) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return in.run(cmd.Context(), func(ctx context.Context) error {
			w, err := in.apply(ctx, cmd, args, adapt)
			if err != nil {
				return err
			}
			return show(ctx, cmd, w)
		})
	}
	in.addFlags(cmd)
	return cmd
}

// apply reads the config and the manifests, and runs the config. If the config has errors, it returns them without reading the
// manifests.
func (in *input) apply(ctx context.Context, cmd *cobra.Command, args []string, adapt adapter) (*work, error) {
	if slices.Contains(in.configs, "-") && slices.Contains(slices.Concat(in.paths, args), "-") {
		return nil, errors.New("standard input (-) is named for both the config and the manifests; it can be only one of them")
	}
	configs, err := in.readConfigs(ctx, cmd)
	if err != nil {
		return nil, err
	}
	config, findings := engine.ReadConfig(newSources(configs)...)
	w := &work{config: adapt(config), verifies: config.Verifies()}
	if !finding.HasError(findings) {
		if w.manifests, w.passed, err = in.readManifests(ctx, cmd, args, configs); err != nil {
			return nil, err
		}
		namespace, invalid := in.namespaceOf()
		if invalid != nil {
			return nil, invalid
		}
		w.config = w.config.InNamespace(namespace)
		collectFor(size(w.manifests))
		w.Result, err = engine.Apply(ctx, w.config, in.sources(w.manifests)...)
		if err == nil {
			err = in.reportLeftOut(ctx, w)
		}
	}
	w.Run.Config = findings
	return w, err
}

// newChange completes a verb that changes manifests, and prints them or writes them back to their files.
func newChange(adapt adapter, cmd *cobra.Command) *cobra.Command {
	in := &input{}
	out := output{format: choice{value: "yaml", from: []string{"yaml", "json", "name"}}}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return out.check(cmd, in) }
	keepGoing := false
	adaptForFlags := func(config engine.Config) engine.Config {
		if keepGoing {
			config = config.KeepingGoing()
		}
		return adapt(config)
	}
	in.runs(cmd, adaptForFlags, func(ctx context.Context, cmd *cobra.Command, w *work) error {
		var err error
		written := 0
		switch {
		case !w.Run.Writes():
		case out.inPlace:
			written, err = in.writeBack(ctx, w, in.progress(cmd.ErrOrStderr(), "written"))
		default:
			err = out.print(cmd.OutOrStdout(), w)
		}
		if err == nil {
			err = in.finish(cmd.ErrOrStderr(), w.Run)
		}
		if out.inPlace && !in.quiet && (err == nil || errors.Is(err, errFailed) && w.Run.Writes()) {
			fmt.Fprintln(cmd.ErrOrStderr(), outcome.Plural(written, "file"), "written")
		}
		return err
	})
	out.addFlags(cmd)
	cmd.Flags().BoolVar(&keepGoing, "keep-going", false,
		"leave workloads that are refused unchanged and write everything else, instead of nothing; exit with 1")
	return cmd
}
