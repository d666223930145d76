package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// verbRun is a config, the manifests that it ran on, and the result.
type verbRun struct {
	config    engine.Config
	verifies  bool // whether the config has the action Verify, which the verb may ignore
	manifests []finding.Source
	passed    []files.Passed  // in the directories of the manifests
	roots     map[string]bool // the files of the kustomizations to build, and whether they were built
	built     []string        // the real paths of the files that they were built of
	// directories are those of the manifests, and below, by their real paths.
	directories []string
	// kustomizations are those in the directories of the manifests.
	kustomizations []files.Kustomization
	engine.Result
}

// adapter changes a config for a verb.
type adapter func(engine.Config) engine.Config

// resultWriter prints or writes the result of a verb.
type resultWriter func(context.Context, *cobra.Command, *verbRun) error

// runs completes a command that runs the config of its flags on the manifests of its flags and arguments.
func (in *input) runs(cmd *cobra.Command, adapt adapter, show resultWriter) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		w, err := in.apply(cmd.Context(), cmd, args, adapt)
		if err != nil {
			return err
		}
		return show(cmd.Context(), cmd, w)
	}
	in.addFlags(cmd)
	return cmd
}

// apply reads the config and the manifests, and runs the config. If the config has errors, it returns them without
// reading the manifests.
func (in *input) apply(ctx context.Context, cmd *cobra.Command, args []string, adapt adapter) (*verbRun, error) {
	if err := in.chooseInput(ctx, cmd, args); err != nil {
		return nil, err
	}
	configs, err := in.readConfigs(ctx, cmd)
	if err != nil {
		return nil, err
	}
	config, findings := in.readInjectors(configs)
	w := &verbRun{config: in.rollingOut(adapt(config)), verifies: config.Verifies()}
	if !finding.HasError(findings) {
		if err := in.applyToAll(ctx, cmd, args, w, configs); err != nil {
			return nil, err
		}
	}
	w.Run.Config = findings
	return w, nil
}

// chooseInput completes the flags by the project file, and refuses those that exclude each other.
func (in *input) chooseInput(ctx context.Context, cmd *cobra.Command, args []string) error {
	if paths := slices.Concat(in.paths, args); len(in.kustomizations) > 0 && len(paths) > 0 {
		return fmt.Errorf("-k %s and -f %s are both set; use one of them", in.kustomizations[0], paths[0])
	}
	if err := in.openProject(ctx, cmd, args); err != nil {
		return err
	}
	if err := in.useProject(cmd, args); err != nil {
		return err
	}
	if name := in.defaultNamespace; name != "" && len(validation.IsDNS1123Label(name)) > 0 {
		return fmt.Errorf("--default-namespace is %q; write the name of a namespace: up to 63 lower-case letters, "+
			"digits and dashes, such as team-a", name)
	}
	if slices.Contains(in.configs, "-") && slices.Contains(slices.Concat(in.paths, args), "-") {
		return errors.New("standard input (-) is named for both the config and the manifests; " +
			"it can be only one of them")
	}
	return nil
}

// readInjectors reads the config from its files, or from the flags of remove.
func (in *input) readInjectors(configs []files.File) (engine.Config, []finding.Finding) {
	sources := append(newSources(configs), in.removedByName()...)
	if in.removes {
		return engine.ReadConfigToRemove(sources...)
	}
	config, findings := engine.ReadConfig(sources...)
	return config, append(findings, in.project.unknownInjectors(config.Names())...)
}

// applyToAll runs the config on files and kustomizations.
func (in *input) applyToAll(
	ctx context.Context, cmd *cobra.Command, args []string, w *verbRun, configs []files.File,
) error {
	in.learnRoots()
	if len(in.kustomizations) == 0 || len(in.paths) > 0 {
		err := in.applyToFiles(ctx, cmd, args, w, configs)
		if isBroken := w.Run.IsRefused() && len(w.Run.Workloads) == 0; err != nil || isBroken {
			return err
		}
	}
	if len(in.kustomizations) > 0 {
		if err := in.applyToRoots(ctx, cmd, w); err != nil {
			return err
		}
	}
	if in.verifies {
		if err := in.checkEncodings(w); err != nil {
			return err
		}
	}
	in.account(w)
	if !in.allowEmpty {
		if err := in.checkAny(w.Run); err != nil {
			return err
		}
	}
	in.checkRollouts(&w.Run)
	if !in.quiet {
		in.warnUnmatched(cmd.ErrOrStderr(), w.Run)
	}
	if live := countLive(w.Run); live > 0 && live == len(w.Run.Workloads) {
		w.Run = outcome.Run{General: []finding.Finding{onlyLive(live)}, Level: w.Run.Level}
	}
	return nil
}

// applyToFiles reads the manifests of the flags and arguments, and runs the config on them.
func (in *input) applyToFiles(
	ctx context.Context, cmd *cobra.Command, args []string, w *verbRun, configs []files.File,
) error {
	collectAt(60) // most of a tree is garbage soon; a single large file takes 2% longer for it
	found, err := in.readManifests(ctx, cmd, args, configs)
	if err != nil {
		return err
	}
	w.manifests = newSources(found.Files)
	for i := range w.manifests {
		w.manifests[i].MayBeEmpty = in.allowEmpty
	}
	w.config = w.config.WithResources(found.Resources).WithUnlisted(found.Unlisted)
	if !in.changes { // which needs what stays as it is, too
		w.config = w.config.Forgetting()
	}
	w.passed = found.Passed
	w.directories = found.Directories
	w.kustomizations = found.Kustomizations
	found.Files = nil // so that texts which are not needed any more take no memory
	if w.config, err = in.choose(w.config.WithGenerated(found.Generated)); err != nil {
		return err
	}
	isPart := len(in.kustomizations) > 0
	if isPart {
		w.config = w.config.InParts()
	}
	w.Result, err = engine.Apply(ctx, w.config, w.manifests...)
	w.Run.Makers = append(w.Run.Makers, found.Makers...)
	if isPart {
		in.project.noteFiles(w.Run.Workloads)
	}
	if err == nil && countLive(w.Run) < max(1, len(w.Run.Workloads)) {
		err = in.reportLeftOut(ctx, w)
	}
	if err != nil || in.removes || isPart { // then they are built anyway
		return err
	}
	if err := in.checkOverlays(ctx, w, found.Kustomizations); err != nil {
		return err
	}
	return in.suggestBuilds(ctx, w, found.Kustomizations)
}

// countLive returns how many workloads were read back from a cluster.
func countLive(run outcome.Run) int {
	live := 0
	for _, w := range run.Workloads {
		if slices.ContainsFunc(w.General, func(f finding.Finding) bool { return f.Code == finding.LiveObject }) {
			live++
		}
	}
	return live
}

// onlyLive returns the error about manifests that are all of a cluster.
func onlyLive(workloads int) finding.Finding {
	return finding.Finding{
		Severity: finding.Error,
		Code:     finding.LiveObject,
		Message: "this was read back from a cluster (" + spelling.Plural(workloads, "workload") + "), as kubectl get " +
			"prints it; name the manifests that it was applied from with -f, or check what runs: " +
			"kubectl get pods -A -o json | pillion audit -c CONFIG -f -",
	}
}

// choose returns the config for the workloads that the flags choose.
func (in *input) choose(config engine.Config) (engine.Config, error) {
	return in.chosenOf(config.InNamespace(in.namespaceOf(config, "")).NamingFlags())
}

// newChange completes a verb that changes manifests, and prints them or writes them back to their files.
func newChange(in *input, adapt adapter, cmd *cobra.Command) *cobra.Command {
	out := output{format: choice{value: "yaml", from: []string{"yaml", "name"}}}
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return out.check(cmd, in) }
	keepGoing := false
	adaptForFlags := func(config engine.Config) engine.Config {
		if keepGoing {
			config = config.KeepingGoing()
		}
		return adapt(config)
	}
	in.runs(cmd, adaptForFlags, func(ctx context.Context, cmd *cobra.Command, w *verbRun) error {
		var err error
		written := 0
		switch {
		case !w.Run.Writes():
		case in.inPlace:
			written, err = writeBack(ctx, w)
		default:
			err = out.print(cmd.OutOrStdout(), w)
		}
		if err == nil {
			err = in.finish(cmd.ErrOrStderr(), w.Run)
		}
		all := len(w.Run.Workloads)
		if len(in.injectors) > 0 && all > 0 && w.Run.Counts()[decision.Skipped] == all && !in.quiet {
			fmt.Fprintln(cmd.ErrOrStderr(), escape.Line("warning: "+noStamps(in.injectors, w.Run.Workloads)))
		}
		if in.inPlace && !in.quiet && (err == nil || errors.Is(err, errFailed) && w.Run.Writes()) {
			fmt.Fprintln(cmd.ErrOrStderr(), spelling.Plural(written, "file"), "written")
		}
		return err
	})
	out.addFlags(cmd, in)
	cmd.Flags().BoolVar(&keepGoing, "keep-going", false,
		"leave workloads that are refused unchanged and write everything else, instead of nothing; exit with 1")
	return cmd
}
