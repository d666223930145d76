package engine

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// Source is a text with the file that it was read from; the file is empty where there is none.
type Source struct {
	File string
	Text []byte
	// MayBeEmpty is set where a text without an object is no mistake, and stays as it is.
	MayBeEmpty bool
}

// Config is injectors that are ready to run.
type Config struct {
	injectors []*injector.Injector
}

// Injectors are the injectors of the config, in the order in which they run.
func (c Config) Injectors() []*injector.Injector { return c.injectors }

// ReadConfig reads injectors from texts: each holds one or more SidecarInjectors, lists of
// them, SidecarSets and classic ConfigMaps. All that is wrong is found in one go; where an
// error is among the findings, the config has no injectors.
func ReadConfig(sources ...Source) (Config, []Finding) {
	streams, said := readStreams(sources, finding.InvalidConfig)
	items := streams.items()
	var config Config
	files := map[string]*File{} // of injectors by name; of two of one name, the later one's
	for _, item := range items {
		injectors, met := readItemConfig(item)
		for _, in := range injectors {
			files[in.Name] = fileOf(item, nil)
		}
		config.injectors = append(config.injectors, injectors...)
		said = append(said, met...)
	}
	if len(items) > 1 && !finding.HasError(said) {
		together := injector.CheckTogether(config.injectors)
		for i := range together {
			together[i].File = files[together[i].Injector]
		}
		said = append(said, together...)
	}
	newPlaces(items).locate(said)
	if finding.HasError(said) {
		return Config{}, said
	}
	return config, said
}

func readItemConfig(item manifest.Item) ([]*injector.Injector, []Finding) {
	_, config, err := item.Parse()
	if err != nil && !manifest.IsOddKey(err) { // which the injector says more about
		return nil, []Finding{{Severity: Error, Code: finding.InvalidConfig, Message: "the config cannot be read: " + err.Error(), File: fileOf(item, nil)}}
	}
	injectors, said := injector.Read(config)
	for i := range said {
		said[i].File = fileOf(item, nil)
	}
	return injectors, said
}

// HoldsConfig tells whether a text holds an object that is meant as a config of Pillion's, be it
// right or wrong: ReadConfig says what is wrong with it. A ConfigMap is one where it has the key
// of a payload. The error is that of a text which cannot be read, so that nobody knows.
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
			err = nil // it is not for kubectl
		}
		if err != nil || node.Get(object, "data", injector.PayloadKey) != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// Names are the injectors' names, in the order in which they run.
func (c Config) Names() []string {
	names := make([]string, len(c.injectors))
	for i, in := range c.injectors {
		names[i] = in.Name
	}
	return names
}

// Removing is the config with every injector told to remove what it has injected before.
func (c Config) Removing() Config {
	return c.acting(func(v1alpha1.Action) v1alpha1.Action { return v1alpha1.Remove })
}

// Showing is the config for who looks at what would change: injectors that only verify are told
// to inject.
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
	return Config{injectors: all}
}
