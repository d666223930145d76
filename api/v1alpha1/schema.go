package v1alpha1

import _ "embed" // for the schema

// Schema is the JSON schema of a SidecarInjector and of a SidecarInjectorList.
//
//go:embed schema.json
var Schema []byte
