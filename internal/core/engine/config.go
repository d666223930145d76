package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/form"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Config is a set of injectors that are ready to run.
type Config struct {
	injectors []*injector.Injector
	namespace string // of workloads without one; empty if it is not known
	// The transformers of other programs run before and after the payload is added.
	before, after []apply.Transformer
	keepGoing     bool
	guardedToo    bool                                   // whether objects are selected that only kubectl would apply
	chooses       func(*finding.Object, *node.Node) bool // see Choosing; nil if all workloads are chosen
	includes      Rollout                                // see RollingOut; nil if all are rolled out to all workloads
	root          string                                 // see BuiltFrom
	isLive        bool                                   // whether the objects are in a cluster, see Auditing
	bytes         int                                    // of its text
	imageLines    map[containerKey]string                // the lines that declare them, as far as that is known
	isFunction    bool                                   // of a ResourceList, whose local config is not applied
	namesFlags    bool                                   // see NamingFlags
	generated     []finding.Object                       // see WithGenerated
	isPart        bool                                   // see InParts
	mustSelect    bool                                   // see Verifying
	forgets       bool                                   // see Forgetting
	resources     map[string]bool                        // see WithResources
	unlisted      map[string]bool                        // see WithUnlisted
}

// InParts returns the config for runs that are parts of one, such as for each kustomization of a tree. What it expects
// of all workloads together is left to CheckExpectations.
func (c Config) InParts() Config {
	c.isPart = true
	return c
}

// WithGenerated returns the config for manifests to which kustomizations add objects, which payloads may name.
func (c Config) WithGenerated(objects []finding.Object) Config {
	c.generated = objects
	return c
}

// WithResources returns the config for manifests in files of which some are resources of kustomizations, whose patches may
// complete them.
func (c Config) WithResources(files map[string]bool) Config {
	c.resources = files
	return c
}

// WithUnlisted returns the config for manifests in files of which some are not applied with the others, so that
// payloads cannot refer to what they hold.
func (c Config) WithUnlisted(files map[string]bool) Config {
	c.unlisted = files
	return c
}

// Forgetting returns the config for runs that save memory: Apply sets the texts of sources to nil where there is nothing
// to say about their only object, and it decides about no others.
func (c Config) Forgetting() Config {
	c.forgets = true
	return c
}

// NamingFlags returns the config for a run of the command line, whose messages name flags.
func (c Config) NamingFlags() Config {
	c.namesFlags = true
	return c
}

// flagsOr returns words that name flags in a run of the command line, and the others elsewhere.
func (c Config) flagsOr(flags, others string) string {
	if c.namesFlags {
		return flags
	}
	return others
}

// KeepingGoing returns the config that writes the other workloads if some are refused, instead of nothing.
func (c Config) KeepingGoing() Config {
	c.keepGoing = true
	return c
}

// Choosing returns the config that leaves workloads alone for which the function returns false. They are no part of the
// outcomes. What a config expects of all workloads together is not checked.
func (c Config) Choosing(chooses func(*finding.Object, *node.Node) bool) Config {
	c.chooses = chooses
	return c
}

// WithGuarded returns the config that also selects objects that no injection changes and kubectl applies: local config,
// and what was read from a cluster.
func (c Config) WithGuarded() Config {
	c.guardedToo = true
	return c
}

// Verifies reports whether the config has the action Verify, with which nothing is written.
func (c Config) Verifies() bool {
	verifies := func(in *injector.Injector) bool { return in.Spec.Action == v1alpha1.Verify }
	return slices.ContainsFunc(c.injectors, verifies)
}

// InNamespace returns the config for workloads that will go to a namespace unless they name another one. It takes
// precedence over spec.defaultNamespace. The namespace must be a valid name, or empty.
func (c Config) InNamespace(namespace string) Config {
	c.namespace = namespace
	return c
}

// Before returns the config with more transformers that run before the payload of each injector is added.
func (c Config) Before(steps ...apply.Transformer) Config {
	c.before = slices.Concat(c.before, steps)
	return c
}

// After returns the config with more transformers that run after the payload of each injector was added.
func (c Config) After(steps ...apply.Transformer) Config {
	c.after = slices.Concat(c.after, steps)
	return c
}

// Injectors returns the injectors of the config, in the order in which they run.
func (c Config) Injectors() []*injector.Injector { return c.injectors }

// ReadConfig reads injectors from texts: each holds one or more SidecarInjectors, lists of them, SidecarSets and
// classic ConfigMaps. All problems are reported at once; if one of them is an error, the config has no injectors.
func ReadConfig(sources ...finding.Source) (Config, []finding.Finding) {
	return readConfig(sources, false)
}

// ReadConfigToRemove is like ReadConfig, except that an injector may have only a name: stamps say what to remove.
func ReadConfigToRemove(sources ...finding.Source) (Config, []finding.Finding) {
	return readConfig(sources, true)
}

const emptyConfig = "the config is empty; write a SidecarInjector into it (pillion init writes one to start with)"

func readConfig(sources []finding.Source, removes bool) (Config, []finding.Finding) {
	items, findings := readItems(sources, emptyConfig)
	config := Config{imageLines: map[containerKey]string{}}
	var files []*finding.File // of the injectors
	for _, item := range items {
		object, injectors, problems := readConfigItem(item, "the config", removes)
		for _, in := range injectors {
			files = append(files, fileOf(item, nil))
			config.addImages(item, object, in)
		}
		config.injectors = append(config.injectors, injectors...)
		config.bytes += len(item.Text)
		findings = append(findings, problems...)
	}
	if len(items) > 1 && !finding.HasError(findings) {
		findings = append(findings, injector.CheckTogether(config.injectors, files)...)
	}
	newLocator(visits(items)).locateIn(findings, nil)
	if finding.HasError(findings) {
		return Config{}, findings
	}
	return config, findings
}

// readConfigItem reads one object, and the injectors in it. Messages call it by the name. If it only removes, the
// object needs no spec.
func readConfigItem(
	item *manifest.Item, name string, removes bool,
) (*node.Node, []*injector.Injector, []finding.Finding) {
	_, config, err := item.Parse()
	if err != nil && !manifest.IsOddKey(err) { // injector.Read reports odd keys better
		f := newFinding(finding.Error, finding.InvalidConfig, nil, "%s cannot be read: %v", name, err)
		f.File = fileOf(item, nil)
		return nil, nil, []finding.Finding{f}
	}
	if removes && item.Kind == v1alpha1.Kind && node.IsNull(node.Get(config, "spec")) {
		node.Set(config, "spec", node.Mapping(node.String("action"), node.String(string(v1alpha1.Remove))))
	}
	injectors, findings := injector.Read(config)
	for i := range findings {
		findings[i].File = fileOf(item, config)
	}
	return config, injectors, findings
}

// HoldsConfig reports whether a text holds an object that is meant as a config, valid or not; ReadConfig reports what
// is wrong with it. A ConfigMap is a config if it has the key of a payload. The error is that of a text that cannot be
// read.
func HoldsConfig(text []byte) (bool, error) {
	stream, err := manifest.Read(text)
	if err != nil {
		return false, err
	}
	for _, item := range stream.Items {
		if isConfigMap := item.APIVersion == "v1" && item.Kind == "ConfigMap"; !isConfigMap {
			if form.IsConfig(item.APIVersion, item.Kind) {
				return true, nil
			}
			continue
		}
		_, object, err := item.Parse()
		if manifest.IsOddKey(err) {
			err = nil // it is not meant for kubectl
		}
		if err != nil || node.Get(object, "data", form.PayloadKey) != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// Names returns the names of the injectors, in the order in which they run.
func (c Config) Names() []string {
	names := make([]string, len(c.injectors))
	for i, in := range c.injectors {
		names[i] = in.Name
	}
	return names
}

// Removing returns the config with the action Remove for every injector.
func (c Config) Removing() Config {
	return c.with(func(spec *v1alpha1.SidecarInjectorSpec) { spec.Action = v1alpha1.Remove })
}

// Showing returns the config that shows what would change: it injects instead of verifying.
func (c Config) Showing() Config {
	return c.with(func(spec *v1alpha1.SidecarInjectorSpec) {
		if spec.Action == v1alpha1.Verify {
			spec.Action = v1alpha1.Inject
		}
	})
}

// Verifying returns the config for a verification of everything that an injector is for: one that selects none of the
// workloads is an error.
func (c Config) Verifying() Config {
	c.mustSelect = true
	return c.Showing()
}

// Testing returns the config for a test: it injects instead of verifying, leaves workloads that are refused unchanged,
// and expects nothing of all workloads of a fleet.
func (c Config) Testing() Config {
	return c.Showing().KeepingGoing().with(expectNothing)
}

func expectNothing(spec *v1alpha1.SidecarInjectorSpec) { spec.Expect = &v1alpha1.Expect{Min: new(int)} }

// Auditing returns the config that injects into manifests of live pods to find out what is declared for them. It keeps
// what a pod has instead of refusing it, and checks nothing. Removed injectors are left out.
func (c Config) Auditing() Config {
	c.isLive = true
	isRemoved := func(in *injector.Injector) bool { return in.Spec.Action == v1alpha1.Remove }
	c.injectors = slices.DeleteFunc(slices.Clone(c.injectors), isRemoved)
	return c.KeepingGoing().with(func(spec *v1alpha1.SidecarInjectorSpec) {
		spec.Action = v1alpha1.Inject
		spec.Adopt = false
		expectNothing(spec)
		spec.Checks = v1alpha1.Checks{}
		on := &spec.OnConflict
		for _, choice := range []*v1alpha1.Conflict{&on.Volume, &on.Env, &on.MountPath} {
			if *choice == v1alpha1.ConflictError {
				*choice = v1alpha1.ConflictKeep
			}
		}
		on.Port = v1alpha1.PortKeep
	})
}

// with returns the config with changed settings of each injector.
func (c Config) with(change func(*v1alpha1.SidecarInjectorSpec)) Config {
	c.injectors = slices.Clone(c.injectors)
	for i, in := range c.injectors {
		c.injectors[i] = in.With(change)
	}
	return c
}
