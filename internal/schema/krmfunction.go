package schema

import "pillion.dev/pillion/api/v1alpha1"

// image is the function's image, without a registry.
const image = "pillion:v0.1.0"

// krmFunction is a KRMFunctionDefinition, which describes a function to catalogues.
type krmFunction struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	Spec       krmFunctionSpec   `json:"spec"`
}

type krmFunctionSpec struct {
	Group       string            `json:"group"`
	Names       map[string]string `json:"names"`
	Description string            `json:"description"`
	Publisher   string            `json:"publisher"`
	Home        string            `json:"home"`
	Tags        []string          `json:"tags"`
	Versions    []krmVersion      `json:"versions"`
}

type krmVersion struct {
	Name       string             `json:"name"`
	Idempotent bool               `json:"idempotent"`
	Usage      string             `json:"usage"`
	License    string             `json:"license"`
	Runtime    krmRuntime         `json:"runtime"`
	Schema     map[string]*Schema `json:"schema"`
}

type krmRuntime struct {
	Container map[string]string `json:"container"`
}

func krmFunctionDefinition(config *Schema) krmFunction {
	unchanged := func(*Schema, int) {}
	injector := config.Definitions[v1alpha1.Kind].inline(config.Definitions, 0, unchanged)
	return krmFunction{
		APIVersion: "config.kubernetes.io/v1alpha1",
		Kind:       "KRMFunctionDefinition",
		Metadata:   map[string]string{"name": "sidecarinjector." + v1alpha1.Group},
		Spec: krmFunctionSpec{
			Group:       v1alpha1.Group,
			Names:       map[string]string{"kind": v1alpha1.Kind},
			Description: "Pillion puts sidecars into pods before the manifests reach the cluster.",
			Publisher:   v1alpha1.Group,
			Home:        "https://pillion.dev/pillion",
			Tags:        []string{"mutator", "sidecar"},
			Versions: []krmVersion{{
				Name:       "v1alpha1",
				Idempotent: true,
				Usage:      "https://pillion.dev/pillion",
				License:    "Apache-2.0",
				Runtime:    krmRuntime{Container: map[string]string{"image": image}},
				Schema:     map[string]*Schema{"openAPIV3Schema": injector},
			}},
		},
	}
}
