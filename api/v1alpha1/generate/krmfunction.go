package main

import (
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/pipelines/kpt/pillion"
)

// object is a JSON object.
type object = map[string]any

// imageTag is the tag of the image that the examples have as well.
const imageTag = "v0.1"

// entry is the metadata of the function in a catalog of kpt functions.
type entry struct {
	Image       string   `json:"image"`
	Description string   `json:"description"`
	Home        string   `json:"sourceURL"`
	Examples    []string `json:"examplePackageURLs"`
	License     string   `json:"license"`
}

// krmFunctionDefinition returns the KRMFunctionDefinition, which describes the function to catalogues.
func krmFunctionDefinition(injector *jsonSchema) (object, error) {
	var about entry
	if err := yaml.Unmarshal(pillion.Metadata, &about); err != nil {
		return nil, err
	}
	return object{
		"apiVersion": "config.kubernetes.io/v1alpha1",
		"kind":       "KRMFunctionDefinition",
		"metadata":   object{"name": "sidecarinjector." + v1alpha1.Group},
		"spec": object{
			"group":       v1alpha1.Group,
			"names":       object{"kind": v1alpha1.Kind},
			"description": about.Description,
			"publisher":   v1alpha1.Group,
			"home":        about.Home,
			"tags":        []string{"mutator", "validator", "sidecar"},
			"versions": []object{{
				"name":       "v1alpha1",
				"idempotent": true,
				"usage":      about.Home,
				"examples":   about.Examples,
				"license":    about.License,
				"runtime":    object{"container": object{"image": about.Image + ":" + imageTag}},
				"schema":     object{"openAPIV3Schema": injector},
			}},
		},
	}, nil
}
