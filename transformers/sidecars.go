package transformers

import (
	"bytes"
	"cmp"
	"context"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/emit"
)

// Source is a text with the file that it was read from.
type Source = finding.Source

// Sidecars are one or more injectors that were checked and are ready to run together. They can be used many times, and
// by several goroutines at once.
type Sidecars struct {
	config engine.Config
}

// Read reads injectors from YAML or JSON: each source holds one or more SidecarInjectors, lists of them, SidecarSets and
// classic ConfigMaps. It reports all problems at once. If an error is among the findings, or if there are no sources,
// there are no injectors, and Apply reports that.
func Read(sources ...Source) (Sidecars, []finding.Finding) {
	config, findings := engine.ReadConfig(clones(sources)...)
	return Sidecars{config}, findings
}

// New returns typed injectors, in this order. They are checked by the same rules as those that Read reads, and what they
// inject is written in the same way: a field that is not set, such as the resources of a container, is not written.
// APIVersion and Kind may be left out. If an error is among the findings, or if there are no arguments, there are no
// injectors, and Apply reports that.
func New(injectors ...v1alpha1.SidecarInjector) (Sidecars, []finding.Finding) {
	sources := make([]Source, len(injectors))
	for i, injector := range injectors {
		injector.APIVersion = cmp.Or(injector.APIVersion, v1alpha1.APIVersion)
		injector.Kind = cmp.Or(injector.Kind, v1alpha1.Kind)
		object, err := encode.Node(injector)
		if err != nil {
			return Sidecars{}, []finding.Finding{{
				Severity: finding.Error, Code: finding.InvalidConfig, Injector: injector.Metadata.Name,
				Message: "the injector cannot be written as YAML: " + err.Error(),
			}}
		}
		sources[i].Text = emit.Object(object)
	}
	return Read(sources...)
}

// Result is a report with the changed manifests.
type Result struct {
	Report
	// Texts are the new texts of the sources, in the same order. The text is nil for a source that does not change;
	// if the run failed, all of them are nil.
	Texts [][]byte
}

// Apply injects into manifests. All sources are one stream: a selector for the labels of namespaces finds a Namespace
// in one source for a Deployment in another. Objects that hold no pods pass through. Apply returns an error only if the
// context ends.
func (s Sidecars) Apply(ctx context.Context, sources ...Source) (Result, error) {
	result, err := engine.Apply(ctx, s.config, clones(sources)...)
	if err != nil {
		return Result{}, err
	}
	return Result{Report: report.Of(result.Run), Texts: result.Texts}, nil
}

// clones copies the texts, because injectors and reports share their memory, and the caller may change it.
func clones(sources []Source) []Source {
	all := make([]Source, len(sources))
	for i, source := range sources {
		all[i] = source
		all[i].Text = bytes.Clone(source.Text)
	}
	return all
}

// Names returns the names of the injectors, in the order in which they run.
func (s Sidecars) Names() []string { return s.config.Names() }

// Removing returns the injectors with the action Remove: they remove what they added before.
func (s Sidecars) Removing() Sidecars { return Sidecars{s.config.Removing()} }

// InNamespace returns the injectors for workloads that will go to this namespace unless their metadata names another
// one. Conditions, variables and reports use it; the manifests stay without it. It takes precedence over
// spec.defaultNamespace.
func (s Sidecars) InNamespace(namespace string) Sidecars {
	return Sidecars{s.config.InNamespace(namespace)}
}
