package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

// object is a JSON object as it was read.
type object = map[string]any

// customResourceDefinition returns the CustomResourceDefinition of SidecarInjectors, as YAML.
func customResourceDefinition(config []byte) ([]byte, error) {
	var read struct {
		Definitions map[string]object `json:"definitions"`
	}
	if err := json.Unmarshal(config, &read); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	s := structure{definitions: read.Definitions}
	return yaml.Marshal(resourceDefinition(s.of(object{"$ref": "#/definitions/" + v1alpha1.Kind}, 0)))
}

func resourceDefinition(injector object) object {
	properties := injector["properties"].(object)
	for _, name := range []string{"apiVersion", "kind"} {
		properties[name] = object{"type": "string"}
	}
	properties["metadata"] = object{"type": "object"} // the API server's own
	kind := strings.ToLower(v1alpha1.Kind)
	return object{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   object{"name": kind + "s." + v1alpha1.Group},
		"spec": object{
			"group": v1alpha1.Group,
			"scope": "Cluster",
			"names": object{"kind": v1alpha1.Kind, "listKind": v1alpha1.ListKind, "plural": kind + "s", "singular": kind},
			"versions": []object{{
				"name": strings.TrimPrefix(v1alpha1.APIVersion, v1alpha1.Group+"/"), "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": injector},
			}},
		},
	}
}
