package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/export/patch"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// addReleaseFlags adds the flags for one patch of all HelmReleases.
func (e *exporter) addReleaseFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	isForReleases := flags.Bool("helm-releases", false,
		"print one patch for all HelmReleases, which replaces what they have in spec.postRenderers")
	flags.StringArrayVarP(&e.in.paths, "filename", "f", nil,
		"`PATH` of a file or directory with HelmReleases that must have no post-renderers; can be repeated")
	flags.BoolVarP(&e.in.recursive, "recursive", "R", false, "include subdirectories")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if !*isForReleases {
			if len(e.in.paths) > 0 {
				return errors.New("-f names HelmReleases, for --helm-releases; leave it out, or give both")
			}
			return nil
		}
		e.export = func(injectors []*injector.Injector, _ []files.File) ([]byte, []finding.Finding) {
			return patch.Releases(injectors)
		}
		return e.checkReleases(cmd.Context(), cmd)
	}
}

// checkReleases refuses HelmReleases with post-renderers, which a patch of all would replace.
func (e *exporter) checkReleases(ctx context.Context, cmd *cobra.Command) error {
	if len(e.in.paths) == 0 {
		return nil
	}
	found, err := e.in.readFiles(ctx, cmd, files.Reader{}, e.in.paths)
	if err != nil {
		return err
	}
	for _, file := range found.Files {
		items, err := file.Items()
		if err != nil {
			return fmt.Errorf("%s %s", file.Path, describeText(file.Text, err))
		}
		for _, item := range items {
			if kind := maker.Find(item.APIVersion, item.Kind); kind == nil || !kind.IsRelease() {
				continue
			}
			_, release, err := item.Parse()
			if err != nil {
				return fmt.Errorf("%s: %w", file.Path, err)
			}
			if len(node.List(release, "spec", pod.PostRenderers)) > 0 {
				return fmt.Errorf("%s: the HelmRelease %s has spec.%s, which the patch would replace; "+
					"set spec.helmReleases to Patch, and inject into the files instead", file.Path, item.Name, pod.PostRenderers)
			}
		}
	}
	return nil
}
