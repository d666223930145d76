package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/testcase"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// checkTested returns an error for flags that are not for the kind of setup.
func (f *initFlags) checkTested(cmd *cobra.Command, args []string) error {
	isTest := f.kind.value == "test"
	isForConfig := len(args)+len(f.settings) > 0 || cmd.Flags().Changed("file") || cmd.Flags().Changed("objects")
	switch {
	case !isTest && len(f.tested.paths)+len(f.tested.configs) > 0:
		return errors.New("-f and -c are for a test; add --kind test, or remove them")
	case isTest && isForConfig:
		return errors.New("--kind test writes no config; remove the preset and its flags, " +
			"and name the config to test with -c")
	case isTest && len(f.tested.paths) == 0:
		return errors.New("--kind test needs manifests to test the config on; name them with -f")
	}
	return nil
}

// writeTest writes a test: copies of manifests, and what becomes of them as what is expected.
func (f *initFlags) writeTest(ctx context.Context, cmd *cobra.Command) error {
	reader := files.Reader{Stdin: cmd.InOrStdin(), Take: files.Manifests}
	found, err := reader.Read(ctx, f.tested.paths)
	if err != nil {
		return fmt.Errorf("-f: %w", err)
	}
	const remedy = "choose another directory with --dir, and give each manifest a name of its own"
	created := []newFile{{path: filepath.Join(f.dir, testcase.ListFile), remedy: remedy}}
	for _, file := range found.Files {
		name := filepath.Base(file.Path)
		if file.Path == files.Stdin {
			name = "manifests.yaml"
		}
		for _, path := range []string{filepath.Join(f.dir, name), filepath.Join(f.dir, testcase.TextsDir, name)} {
			created = append(created, newFile{path: path, text: string(file.Text), remedy: remedy})
		}
	}
	if err := os.MkdirAll(filepath.Join(f.dir, testcase.TextsDir), 0o755); err != nil {
		return err
	}
	if err := createAll(created); err != nil {
		return err
	}
	f.tested.updates = true
	f.tested.quiet = true
	f.tested.format.value = report.TestFormats[0].Name
	f.tested.pattern = "^" + regexp.QuoteMeta(filepath.ToSlash(filepath.Clean(f.dir))) + "$" // not the tests below it
	if err := f.tested.test(ctx, cmd, []string{f.dir}); err != nil {
		return errors.Join(err, discard(created))
	}
	run := "pillion test"
	if cmd.Flags().Changed("config") { // the test has none of its own
		run += " " + strings.Join(flagWords(cmd.Flags().Lookup("config")), " ")
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "wrote a test with %s to %s; read what is expected before you commit it, "+
		"and keep its manifests out of other runs with --exclude, or exclude in .pillion.yaml\n"+
		"next: %s\n", spelling.Plural(len(found.Files), "manifest"), escape.Line(f.dir),
		escape.Line(run+" "+shellQuoted(f.dir)))
	return nil
}
