package schema

import "pillion.dev/pillion/api/v1alpha1"

// image is the function's image. It has no registry, since each place has its own.
const image = "pillion:v0.1.0"

// definition is a KRMFunctionDefinition: what a function is to a catalog, as a
// CustomResourceDefinition is what an object is to a cluster.
type definition struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	Spec       definitionSpec    `json:"spec"`
}

type definitionSpec struct {
	Group       string            `json:"group"`
	Names       map[string]string `json:"names"`
	Description string            `json:"description"`
	Publisher   string            `json:"publisher"`
	Home        string            `json:"home"`
	Tags        []string          `json:"tags"`
	Versions    []functionVersion `json:"versions"`
}

type functionVersion struct {
	Name       string             `json:"name"`
	Idempotent bool               `json:"idempotent"`
	Usage      string             `json:"usage"`
	License    string             `json:"license"`
	Runtime    functionRuntime    `json:"runtime"`
	Schema     map[string]*Schema `json:"schema"`
}

type functionRuntime struct {
	Container map[string]string `json:"container"`
}

func functionDefinition(config *Schema) definition {
	injector := config.Definitions[v1alpha1.Kind].inline(config.Definitions)
	return definition{
		APIVersion: "config.kubernetes.io/v1alpha1",
		Kind:       "KRMFunctionDefinition",
		Metadata:   map[string]string{"name": "sidecarinjector." + v1alpha1.Group},
		Spec: definitionSpec{
			Group:       v1alpha1.Group,
			Names:       map[string]string{"kind": v1alpha1.Kind},
			Description: "Pillion puts sidecars into pods before the manifests reach the cluster.",
			Publisher:   v1alpha1.Group,
			Home:        "https://pillion.dev/pillion",
			Tags:        []string{"mutator", "sidecar"},
			Versions: []functionVersion{{
				Name:       "v1alpha1",
				Idempotent: true,
				Usage:      "https://pillion.dev/pillion",
				License:    "Apache-2.0",
				Runtime:    functionRuntime{Container: map[string]string{"image": image}},
				Schema:     map[string]*Schema{"openAPIV3Schema": injector},
			}},
		},
	}
}
