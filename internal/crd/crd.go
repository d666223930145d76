// Package crd makes a CustomResourceDefinition of the config's JSON schema, for those who keep
// their SidecarInjectors in a cluster.
package crd

import (
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

// schema is a JSON schema as it was read.
type schema = map[string]any

// SidecarInjectors is the CustomResourceDefinition of SidecarInjectors, as YAML.
func SidecarInjectors() ([]byte, error) {
	var config struct {
		Definitions map[string]schema `json:"definitions"`
	}
	if err := json.Unmarshal(v1alpha1.Schema, &config); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	s := structure{definitions: config.Definitions}
	return yaml.Marshal(definition(s.of(schema{"$ref": "#/definitions/" + v1alpha1.Kind}, 0)))
}

func definition(object schema) schema {
	properties := object["properties"].(schema)
	for _, name := range []string{"apiVersion", "kind"} {
		properties[name] = schema{"type": "string"}
	}
	properties["metadata"] = schema{"type": "object"} // the API server's own
	kind := strings.ToLower(v1alpha1.Kind)
	return schema{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   schema{"name": kind + "s." + v1alpha1.Group},
		"spec": schema{
			"group": v1alpha1.Group,
			"scope": "Cluster",
			"names": schema{"kind": v1alpha1.Kind, "listKind": v1alpha1.ListKind, "plural": kind + "s", "singular": kind},
			"versions": []schema{{
				"name": strings.TrimPrefix(v1alpha1.APIVersion, v1alpha1.Group+"/"), "served": true, "storage": true,
				"schema": schema{"openAPIV3Schema": object},
			}},
		},
	}
}
