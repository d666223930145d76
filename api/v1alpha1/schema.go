package v1alpha1

import _ "embed" // for the generated files

//go:embed schema.json
var schema string

//go:embed project.json
var projectSchema string

//go:embed crd.yaml
var customResourceDefinition string

// Schema returns the JSON schema of a SidecarInjector and of a SidecarInjectorList. Each call returns a new copy.
func Schema() []byte { return []byte(schema) }

// ProjectSchema returns the JSON schema of a Project. Each call returns a new copy.
func ProjectSchema() []byte { return []byte(projectSchema) }

// CustomResourceDefinition lets a cluster store SidecarInjectors, for example for GitOps tools that
// apply everything in a directory. It is YAML. Each call returns a new copy.
func CustomResourceDefinition() []byte { return []byte(customResourceDefinition) }
