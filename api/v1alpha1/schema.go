package v1alpha1

import _ "embed" // for the generated files

// Schema is the JSON schema of a SidecarInjector and of a SidecarInjectorList.
//
//go:embed schema.json
var Schema []byte

// CustomResourceDefinition lets a cluster store SidecarInjectors, for example for GitOps tools that
// apply everything in a directory. It is YAML.
//
//go:embed crd.yaml
var CustomResourceDefinition []byte
