// Package transformers changes pods. An injector changes them as a config says, and your own Go function, a Transformer,
// may do what a config cannot express.
//
// Read takes injectors from YAML, and New takes typed ones. Apply runs them on manifests:
//
//	sidecars, findings := transformers.New(v1alpha1.SidecarInjector{ ... })
//	result, err := sidecars.Apply(ctx, transformers.Source{File: "web.yaml", Text: text})
//
// Apply changes only the bytes that an injection needs to change. If any finding is an error, it changes nothing at all.
// Problems with the input are findings; the error result is for what keeps it from running, such as a context that has
// ended. If a finding is behind an error, errors.As gives it.
//
// A Transformer runs before or after the payload of the injectors.
//
// Package kiofilter does the same as a filter in kyaml's pipelines, and package resmap as a transformer of kustomize's
// own. Package fn takes a ResourceList, as a KRM function does.
package transformers
