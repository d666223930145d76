package command

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/spelling"
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
	cmd.Flags().StringArrayVar(&in.injectors, "injector", nil, "`NAME` of an injector, instead of a config; can be repeated")
	return cmd
}

var stampKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(v1alpha1.StampPrefix) + `([a-z0-9.-]+)`)
})

// noStamps says that no workload has a stamp of injectors, and of which ones there are stamps.
func noStamps(names []string, workloads []*outcome.Workload) string {
	var stamped []string
	for _, w := range workloads {
		for _, key := range stampKey().FindAllSubmatch(w.Before, -1) {
			stamped = appendFew(stamped, string(key[1]))
		}
	}
	text := "no workload has a stamp of " + strings.Join(names, ", ")
	if len(stamped) == 0 {
		return text + ", nor of any other injector"
	}
	for _, name := range names {
		if near := spelling.Nearest(name, stamped); near != "" {
			return text + "; did you mean " + near + "?"
		}
	}
	return text + "; there are stamps of " + strings.Join(stamped, ", ")
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
