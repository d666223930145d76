package command

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

func newRemove() *cobra.Command {
	in := &input{changes: true, removes: true}
	cmd := newChange(in, engine.Config.Removing, &cobra.Command{
		Use:   "remove [-c CONFIG | --injector NAME] [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Remove the sidecars that inject added",
		Long: `Remove undoes what the injectors of a config did to manifests, even if their spec.action
is Inject or Verify. It prints the manifests, or writes them back to their files with
--in-place. The stamps in the manifests say what to remove, so that the name of an injector
is enough, with --injector.

` + manifestsHelp,
		Example: `  # Print the manifests without the sidecars.
  pillion remove -c injector.yaml -f deployment.yaml

  # Change all manifests of a directory tree in place.
  pillion remove -c injectors/ -f k8s/ -R -i

  # The same without a config.
  pillion remove --injector logs -f k8s/ -R -i`,
	})
	cmd.Flags().BoolVar(&in.notRolledOut, "not-rolled-out", false,
		"remove only what the rollouts of the project file do not choose")
	cmd.Flags().StringArrayVar(&in.injectors, "injector", nil, "`NAME` of an injector, instead of a config; can be repeated")
	return cmd
}

// removedByName returns configs of which only the names matter, for the injectors that are named by a flag.
func (in *input) removedByName() []finding.Source {
	var sources []finding.Source
	for i, name := range in.injectors {
		if slices.Contains(in.injectors[:i], name) {
			continue
		}
		quoted, _ := json.Marshal(name) // a string has no error
		sources = append(sources, finding.Source{File: "--injector", Text: fmt.Appendf(nil,
			"{apiVersion: %s, kind: %s, metadata: {name: %s}, spec: {action: Remove}}\n", v1alpha1.APIVersion, v1alpha1.Kind, quoted)})
	}
	return sources
}
