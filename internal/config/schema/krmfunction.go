package schema

import (
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

const (
	image = "pillion:v0.1.0" // without a registry
	home  = "https://pillion.dev/pillion"
)

// krmFunctionDefinition returns the KRMFunctionDefinition, which describes the function to catalogues, as YAML.
func krmFunctionDefinition(config *Schema) ([]byte, error) {
	unchanged := func(*Schema, int) {}
	return yaml.Marshal(object{
		"apiVersion": "config.kubernetes.io/v1alpha1",
		"kind":       "KRMFunctionDefinition",
		"metadata":   object{"name": "sidecarinjector." + v1alpha1.Group},
		"spec": object{
			"group":       v1alpha1.Group,
			"names":       object{"kind": v1alpha1.Kind},
			"description": "Pillion puts sidecars into pods before the manifests reach the cluster.",
			"publisher":   v1alpha1.Group,
			"home":        home,
			"tags":        []string{"mutator", "sidecar"},
			"versions": []object{{
				"name":       version,
				"idempotent": true,
				"usage":      home,
				"license":    "Apache-2.0",
				"runtime":    object{"container": object{"image": image}},
				"schema":     object{"openAPIV3Schema": config.Definitions[v1alpha1.Kind].inline(config.Definitions, 0, unchanged)},
			}},
		},
	})
}
