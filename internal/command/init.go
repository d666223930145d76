package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/files"
)

func newInit() *cobra.Command {
	kind := choice{from: []string{"injector", "kustomize", "kpt"}}
	file := "injector.yaml"
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a first config, with comments",
		Long: `Init writes a SidecarInjector to begin with, and what kustomize or kpt need to run it: a new
kustomization.yaml or Kptfile, or, where there is one, the lines to add to it. What is there
is never written over.

Without --kind, a kustomization.yaml or Kptfile in the directory decides.`,
		Example: `  # For the command line.
  pillion init

  # For a kustomization, in its directory.
  pillion init --kind kustomize overlays/prod`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if kind.value == "" {
				kind.value = kindOf(dir)
			}
			return initialise(cmd.ErrOrStderr(), dir, file, starterFor(kind.value, file))
		},
	}
	cmd.Flags().Var(&kind, "kind", "the `KIND` of what runs it: "+kind.list())
	cmd.Flags().StringVar(&file, "file", file, "the `NAME` of the config's file")
	_ = cmd.RegisterFlagCompletionFunc("kind", kind.complete) // the flag is there
	return cmd
}

// kindOf is what runs Pillion in a directory, as far as its files tell.
func kindOf(dir string) string {
	switch {
	case exists(filepath.Join(dir, "Kptfile")):
		return "kpt"
	case exists(hostIn(dir, files.Kustomizations())):
		return "kustomize"
	default:
		return "injector"
	}
}

// hostIn is the path of the first of the files that is there, and else of the first.
func hostIn(dir string, names []string) string {
	for _, name := range names {
		if path := filepath.Join(dir, name); exists(path) {
			return path
		}
	}
	return filepath.Join(dir, names[0])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func initialise(say io.Writer, dir, file string, s starter) error {
	if filepath.Base(file) != file {
		return fmt.Errorf("--file %s has a directory in it; name the directory as the argument: pillion init DIR", file)
	}
	manifests, err := manifestsIn(dir)
	if err != nil {
		return err
	}
	if err := create(filepath.Join(dir, file), s.injector); err != nil {
		return err
	}
	fmt.Fprintln(say, "wrote", filepath.Join(dir, file))
	if len(s.hosts) > 0 {
		host := hostIn(dir, s.hosts)
		if exists(host) {
			fmt.Fprintf(say, "add to %s:\n\n%s\n", host, s.lines)
		} else {
			if err := create(host, s.write(manifests)); err != nil {
				return err
			}
			fmt.Fprintln(say, "wrote", host)
		}
	}
	where := ""
	if dir != "." {
		where = ", in " + dir
	}
	fmt.Fprintf(say, "next%s: %s\n", where, s.run)
	return nil
}

// create writes a file that is not there yet.
func create(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and stays as it is; choose another name with --file", path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// manifestsIn are the files of a directory that a kustomization would name as resources.
func manifestsIn(dir string) ([]string, error) {
	found, err := files.Reader{Take: files.Manifests}.Read(context.Background(), []string{dir})
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found.Files))
	for i, file := range found.Files {
		names[i] = filepath.Base(file.Path)
	}
	return names, nil
}
