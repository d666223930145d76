package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/text/escape"
)

// initFlags are the flags of init.
type initFlags struct {
	kind      choice
	dir, file string
	settings  []string
	list      bool
}

func newInit() *cobra.Command {
	flags := initFlags{kind: choice{from: []string{"project", "injector", "kustomize", "kpt"}}}
	cmd := &cobra.Command{
		Use:   "init [PRESET]",
		Short: "Write a config to start with: a ready-made sidecar, or a small starter",
		Long: `Init writes a SidecarInjector to start with, and what runs it: a new project file
(.pillion.yaml), kustomization.yaml or Kptfile, or the lines to add to an existing one. It
never overwrites a file, and uses no network.

A preset is a ready-made sidecar, with comments on what to change; --list shows all of
them, with their settings. If it needs other objects, such as a ConfigMap, init writes them
to PRESET-objects.yaml, for an app that is called shop: edit them before you apply them.
Without a preset, init writes a small starter.

The default of --kind is kpt if the directory has a Kptfile, kustomize if it has a
kustomization.yaml, injector if there is a project file already, also above it, and project
otherwise.`,
		Example: `  # List the presets.
  pillion init --list

  # Write a config for the Cloud SQL Auth Proxy.
  pillion init cloud-sql-proxy --set instance=my-project:europe-west1:orders

  # Write a small starter for the kustomization in a directory.
  pillion init --kind kustomize --dir overlays/prod`,
		Args:              onePreset,
		ValidArgsFunction: completePreset,
		RunE:              flags.run,
	}
	flags.kind.addFlag(cmd, "kind", "", "`KIND` of setup", "")
	cmd.Flags().StringVar(&flags.dir, "dir", ".", "`DIR` to write to")
	cmd.Flags().StringVar(&flags.file, "file", "injector.yaml", "file `NAME` of the config")
	cmd.Flags().StringArrayVar(&flags.settings, "set", nil, "a setting of the preset, as `NAME=VALUE`; can be repeated")
	cmd.Flags().BoolVar(&flags.list, "list", false, "list the presets")
	_ = cmd.MarkFlagDirname("dir") // fails for a missing flag only
	return cmd
}

// onePreset returns an error for more than one argument.
func onePreset(_ *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return fmt.Errorf("pillion init takes one preset, found %q as well; write a setting with --set, and a directory "+
		"with --dir", args[1])
}

func (f *initFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case f.list:
		return writeOutput(cmd.OutOrStdout(), presetTable())
	case filepath.Base(f.file) != f.file:
		return fmt.Errorf("--file %q is not the name of a file; write one, and name its directory with --dir", f.file)
	}
	made, err := f.texts(cmd, args)
	if err != nil {
		return err
	}
	manifests, err := manifestsIn(f.dir)
	if err != nil {
		return err
	}
	if f.kind.value == "" {
		if f.kind.value, err = detectKind(f.dir); err != nil {
			return err
		}
	}
	s := newStarter(f.kind.value, f.file, made, manifests)
	written, toAdd, err := s.write(f.dir, f.file)
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.ErrOrStderr(), written, made.note, toAdd, s.nextStep(f.dir))
	return nil
}

// initTexts are what init writes for every kind of setup.
type initTexts struct {
	injector    string
	objects     string // that the injector needs; empty if it needs none
	objectsFile string // the name of their file
	note        string // a line about them
}

func (f *initFlags) texts(cmd *cobra.Command, args []string) (made initTexts, err error) {
	file := escape.Line(f.file) // in a comment, which a line break would end
	if len(args) == 0 {
		if len(f.settings) > 0 {
			return made, fmt.Errorf("--set %s is for a preset; "+
				"name one: pillion init PRESET --set ... (pillion init --list shows them)",
				f.settings[0])
		}
		made.injector, err = starterInjector(file)
		return made, err
	}
	p, err := preset.Find(args[0])
	if err != nil {
		return made, fmt.Errorf("%w. For a directory, use --dir", err)
	}
	made.injector, err = p.Injector(file, f.settings)
	if missing, ok := errors.AsType[*preset.MissingError](err); ok {
		return made, fmt.Errorf("%w; with your own values: %s", err, completed(cmd, args[0], missing))
	}
	if err != nil || len(p.Beside) == 0 {
		return made, err
	}
	made.objects, err = p.Objects(f.settings)
	made.objectsFile = p.ObjectsFile()
	path := escape.Line(filepath.Join(f.dir, made.objectsFile))
	made.note = fmt.Sprintf("edit %s for your app before you apply it: %s\n", path, strings.Join(p.Beside, ", "))
	return made, err
}

// detectKind returns the kind of setup that a directory has files for.
func detectKind(dir string) (string, error) {
	switch {
	case exists(filepath.Join(dir, "Kptfile")):
		return "kpt", nil
	case exists(firstExisting(dir, files.Kustomizations())):
		return "kustomize", nil
	}
	if above, err := findProject(files.RealPath(dir)); above != "" || err != nil {
		return "injector", err
	}
	return "project", nil
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

// write writes the config, the objects that it needs, and the file that lists them unless that exists: all or none. It
// returns what was written, and what people have to add to the file that exists, as lines to print.
func (s starter) write(dir, file string) (written, toAdd string, err error) {
	const rename = "choose another name with --file"
	texts := []newFile{{filepath.Join(dir, file), s.injector, rename}}
	if s.objects != "" {
		texts = append(texts, newFile{filepath.Join(dir, s.objectsFile), s.objects, "rename it"})
	}
	if len(s.hosts) > 0 {
		host := firstExisting(dir, s.hosts)
		if exists(host) {
			toAdd = fmt.Sprintf("add to %s:\n\n%s\n", escape.Line(host), s.more+s.lines)
		} else {
			texts = append(texts, newFile{host, s.head + s.lines, rename})
		}
	}
	if err := createAll(texts); err != nil {
		return "", "", err
	}
	for _, text := range texts {
		written += "wrote " + escape.Line(text.path) + "\n"
	}
	return written, toAdd, nil
}

func (s starter) nextStep(dir string) string {
	where := ""
	if dir != "." {
		where = ", in " + dir
	}
	return escape.Line("next"+where+": "+s.run) + "\n"
}
