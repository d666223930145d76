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
		Short: "Write a starter config with comments",
		Long: `Init writes a SidecarInjector to start with, and what kustomize or kpt need to run it: a new
kustomization.yaml or Kptfile, or the lines to add to an existing one. It never overwrites
a file.

The default of --kind is kpt if the directory has a Kptfile, kustomize if it has a
kustomization.yaml, and injector otherwise.`,
		Example: `  # Write a config for the command line.
  pillion init

  # Write a config for the kustomization in a directory.
  pillion init --kind kustomize overlays/prod`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if kind.value == "" {
				kind.value = detectKind(dir)
			}
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return fmt.Errorf("%s is a file; init takes a directory, and --file sets the name of the config in it", dir)
			}
			return writeStarter(cmd.ErrOrStderr(), kind.value, dir, file)
		},
	}
	kind.addFlag(cmd, "kind", "", "`KIND` of setup", "")
	cmd.Flags().StringVar(&file, "file", file, "file `NAME` of the config")
	return cmd
}

// detectKind returns the kind of setup that a directory has files for.
func detectKind(dir string) string {
	switch {
	case exists(filepath.Join(dir, "Kptfile")):
		return "kpt"
	case exists(firstExisting(dir, files.Kustomizations())):
		return "kustomize"
	default:
		return "injector"
	}
}

// firstExisting returns the path of the first of the names that exists in a directory, or of the first name.
func firstExisting(dir string, names []string) string {
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

// writeStarter writes the config, and the file that lists it unless that exists.
func writeStarter(stderr io.Writer, kind, dir, file string) error {
	if filepath.Base(file) != file {
		return fmt.Errorf("--file %s contains a directory; pass the directory as the argument: pillion init DIR", file)
	}
	manifests, err := manifestsIn(dir)
	if err != nil {
		return err
	}
	s := newStarter(kind, file, manifests)
	if err := create(stderr, filepath.Join(dir, file), s.injector); err != nil {
		return err
	}
	if len(s.hosts) > 0 {
		host := firstExisting(dir, s.hosts)
		if exists(host) {
			fmt.Fprintf(stderr, "add to %s:\n\n%s\n", host, s.lines)
		} else if err := create(stderr, host, s.head+s.lines); err != nil {
			return err
		}
	}
	where := ""
	if dir != "." {
		where = ", in " + dir
	}
	fmt.Fprintf(stderr, "next%s: %s\n", where, s.run)
	return nil
}

// create writes a new file, and prints its path.
func create(stderr io.Writer, path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists, and is not overwritten; choose another name with --file", path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err == nil {
		fmt.Fprintln(stderr, "wrote", path)
	}
	return err
}

// manifestsIn returns the names of the files in a directory that a kustomization can list as resources.
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
