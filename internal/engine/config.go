package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/transformers"
)

// Config is a set of injectors that are ready to run.
type Config struct {
	injectors     []*injector.Injector
	before, after []transformers.Transformer
}

// Before returns the config with transformers that run before the payload of each injector goes in, behind those that it has.
func (c Config) Before(steps ...transformers.Transformer) Config {
	c.before = slices.Concat(c.before, steps)
	return c
}

// After returns the config with transformers that run after the payload of each injector went in, behind those that it has.
func (c Config) After(steps ...transformers.Transformer) Config {
	c.after = slices.Concat(c.after, steps)
	return c
}

// Injectors are the injectors of the config, in the order in which they run.
func (c Config) Injectors() []*injector.Injector { return c.injectors }

// ReadConfig reads injectors from texts: each holds one or more SidecarInjectors, lists of them, SidecarSets and classic
// ConfigMaps. All problems are reported at once; where an error is among the findings, the config has no injectors.
func ReadConfig(sources ...Source) (Config, []finding.Finding) {
	streams, findings := readStreams(sources, finding.InvalidConfig)
	items := streams.items()
	var config Config
	files := map[string]*finding.File{} // of injectors by name; of two of one name, the later one's
	for _, item := range items {
		injectors, problems := readItemConfig(item)
		for _, in := range injectors {
			files[in.Name] = fileOf(item, nil)
		}
		config.injectors = append(config.injectors, injectors...)
		findings = append(findings, problems...)
	}
	if len(items) > 1 && !finding.HasError(findings) {
		together := injector.CheckTogether(config.injectors)
		for i := range together {
			together[i].File = files[together[i].Injector]
		}
		findings = append(findings, together...)
	}
	newLocator(items).locateIn(findings, nil)
	if finding.HasError(findings) {
		return Config{}, findings
	}
	return config, findings
}

func readItemConfig(item manifest.Item) ([]*injector.Injector, []finding.Finding) {
	_, config, err := item.Parse()
	if err != nil && !manifest.IsOddKey(err) { // which injector.Read reports better
		return nil, []finding.Finding{unreadableConfig("the config", err, fileOf(item, nil))}
	}
	injectors, findings := injector.Read(config)
	setFile(findings, fileOf(item, nil))
	return injectors, findings
}

func setFile(findings []finding.Finding, file *finding.File) {
	for i := range findings {
		findings[i].File = file
	}
}

// HoldsConfig reports whether a text holds an object that is meant as a config, right or wrong: ReadConfig reports what is wrong
// with it. A ConfigMap is one if it has the key of a payload. The error is that of a text which cannot be read.
func HoldsConfig(text []byte) (bool, error) {
	stream, err := manifest.Read(text)
	if err != nil {
		return false, err
	}
	for _, item := range stream.Items {
		if isConfigMap := item.APIVersion == "v1" && item.Kind == "ConfigMap"; !isConfigMap {
			if injector.IsConfig(item.APIVersion, item.Kind) {
				return true, nil
			}
			continue
		}
		_, object, err := item.Parse()
		if manifest.IsOddKey(err) {
			err = nil // it is not meant for kubectl
		}
		if err != nil || node.Get(object, "data", injector.PayloadKey) != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// Names are the names of the injectors, in the order in which they run.
func (c Config) Names() []string {
	names := make([]string, len(c.injectors))
	for i, in := range c.injectors {
		names[i] = in.Name
	}
	return names
}

// Removing is the config with the action Remove for every injector.
func (c Config) Removing() Config {
	return c.acting(func(v1alpha1.Action) v1alpha1.Action { return v1alpha1.Remove })
}

// Showing is the config that shows what would change: it injects instead of verifying.
func (c Config) Showing() Config {
	return c.acting(func(action v1alpha1.Action) v1alpha1.Action {
		if action == v1alpha1.Verify {
			return v1alpha1.Inject
		}
		return action
	})
}

func (c Config) acting(as func(v1alpha1.Action) v1alpha1.Action) Config {
	all := make([]*injector.Injector, len(c.injectors))
	for i, in := range c.injectors {
		other := *in
		other.Spec.Action = as(in.Spec.Action)
		all[i] = &other
	}
	c.injectors = all
	return c
}
