package fn

import (
	"cmp"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/emit"
)

// Config is one or more injectors that were checked and are ready to run together. It can be used many times, and by
// several goroutines at once.
type Config struct {
	engine engine.Config
}

// ReadConfig reads injectors from YAML or JSON: each source holds one or more SidecarInjectors, lists of them,
// SidecarSets and classic ConfigMaps. It reports all problems at once; if an error is among the findings, the config is
// empty. Without sources, the config is empty too, and Apply reports that.
func ReadConfig(sources ...Source) (Config, []finding.Finding) {
	config, findings := engine.ReadConfig(engineSources(sources)...)
	return Config{config}, findings
}

// NewConfig returns a config of typed injectors, in this order. They are checked by the same rules as those that
// ReadConfig reads, and what they inject is written in the same way: a field that is not set, such as the resources of
// a container, is not written. APIVersion and Kind may be left out. If an error is among the findings, the config is
// empty. Without injectors, it is empty too, and Apply reports that.
func NewConfig(injectors ...v1alpha1.SidecarInjector) (Config, []finding.Finding) {
	sources := make([]Source, len(injectors))
	for i, injector := range injectors {
		injector.APIVersion = cmp.Or(injector.APIVersion, v1alpha1.APIVersion)
		injector.Kind = cmp.Or(injector.Kind, v1alpha1.Kind)
		object, err := encode.Node(injector)
		if err != nil {
			return Config{}, []finding.Finding{{
				Severity: finding.Error, Code: finding.InvalidConfig, Injector: injector.Metadata.Name,
				Message: "the injector cannot be written as YAML: " + err.Error(),
			}}
		}
		sources[i].Text = emit.Object(object)
	}
	return ReadConfig(sources...)
}

// Names returns the names of the injectors, in the order in which they run.
func (c Config) Names() []string { return c.engine.Names() }

// Removing returns the config with the action Remove for every injector: it removes what they added before.
func (c Config) Removing() Config { return Config{c.engine.Removing()} }

// InNamespace returns the config for workloads that will go to this namespace unless their metadata names another one.
// Conditions, variables and reports use it; the manifests stay without it. It takes precedence over
// spec.defaultNamespace.
func (c Config) InNamespace(namespace string) Config { return Config{c.engine.InNamespace(namespace)} }
