package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/testcase"
	"pillion.dev/pillion/internal/text/manual"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/work/parallel"
)

// testFlags are the flags of test.
type testFlags struct {
	updates bool
	format  choice
	input
}

func newTest() *cobra.Command {
	flags := &testFlags{format: choice{value: "text", from: report.TestFormats.Names()}}
	cmd := &cobra.Command{
		Use:   "test [-c CONFIG]... DIR...",
		Short: "Test configs on manifests with expected results",
		Long: `Test searches directories for tests, and compares what inject does with what is expected. A
test is a directory with at least one of these:

  injector.yaml   the config; without it, that of -c or of the project file
  expected/       the expected results, in files with the names of the manifests
  expected.yaml   the expected decisions, with a line for each workload, such as
                  "deployment/web: injected" or "job/report: skipped OptedOut"

The other files in it, and in its subdirectories that are no tests, are manifests. Each test
injects, injects again, which must change nothing, and removes, which must give back the
input. See ` + manual.Test + `.

The exit codes are those of verify: 0 if all tests pass, 1 if one fails, and 2 or more if
there is an error, such as a config that cannot be read.`,
		Example: `  # Run all tests in a directory.
  pillion test tests

  # Accept the results after a change of the config. Read the diff before you commit it.
  pillion test tests --update`,
	}
	flags.verifies = true // so that ignored files are counted
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return flags.test(cmd.Context(), cmd, args)
	}
	cmd.Flags().SortFlags = false
	flags.addConfigFlag(cmd.Flags())
	cmd.Flags().BoolVar(&flags.updates, "update", false,
		"write the results to the files in expected/ and to expected.yaml where they exist, all of them or none")
	flags.format.addFlag(cmd, "output", "o", "output `FORMAT`", "")
	flags.messages.addFlags(cmd)
	cmd.Flags().Lookup("quiet").Usage = "print only tests that do not pass"
	cmd.Flags().Lookup("verbose").Usage = "print every file that is passed over"
	return cmd
}

func (f *testFlags) test(ctx context.Context, cmd *cobra.Command, args []string) error {
	tests, err := f.findTests(ctx, cmd, args)
	if err != nil {
		return err
	}
	results, passed, err := runTests(ctx, tests)
	isBroken := func(r *testcase.Result) bool { return r.Verdict() == testcase.Broken }
	if err == nil && f.updates && !slices.ContainsFunc(results, isBroken) {
		if err = f.update(ctx, cmd, results); err == nil {
			results, _, err = runTests(ctx, tests)
		}
	}
	if err != nil {
		return err
	}
	f.writePassed(cmd.ErrOrStderr(), "passed over", passed)
	shown := report.Tests{Results: results, Quiet: f.quiet, Line: f.lineFor(cmd.OutOrStdout())}
	if err := writeReport(cmd.OutOrStdout(), report.TestFormats, f.format.value, shown); err != nil {
		return err
	}
	switch counts := shown.Counts(); {
	case counts[testcase.Broken] > 0:
		return errFailed
	case counts[testcase.Failed] > 0:
		return errDiffers
	case len(results) == 0:
		return errors.New("there is no workload to test; write manifests and what is expected beside the config")
	}
	return nil
}

// runTests reads and runs tests. Directories with a config alone are no tests, and returned as passed over.
func runTests(ctx context.Context, tests []testDir) ([]*testcase.Result, []files.Passed, error) {
	all := make([]*testcase.Result, len(tests))
	passed := make([][]files.Passed, len(tests))
	errs := make([]error, len(tests))
	parallel.Do(ctx, len(tests), func(i int) {
		var test *testcase.Case
		test, passed[i], errs[i] = tests[i].read(ctx)
		if errs[i] == nil {
			all[i], errs[i] = test.Run(ctx)
		}
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, nil, err
	}
	for i, r := range all {
		if r.Verdict() == testcase.NoTest {
			passed[i] = append(passed[i], files.Passed{Path: r.Dir, Why: files.NoWorkload})
		}
	}
	results := slices.DeleteFunc(all, func(r *testcase.Result) bool { return r.Verdict() == testcase.NoTest })
	return results, slices.Concat(passed...), nil
}

// update writes what became of tests as what is expected of them.
func (f *testFlags) update(ctx context.Context, cmd *cobra.Command, results []*testcase.Result) error {
	var changes []files.Change
	for _, r := range results {
		for _, u := range r.Updates() {
			changes = append(changes, files.Change(u))
		}
	}
	err := writeFiles(ctx, changes)
	if err == nil && !f.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), spelling.Plural(len(changes), "file"), "written")
	}
	return err
}
