package schema

import (
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

// object is a JSON object.
type object = map[string]any

// version is the version of the API, without its group.
const version = "v1alpha1"

// describedLevels is how deep descriptions are kept. With those of Kubernetes' own types, the
// definition would be larger than kubectl apply can take.
const describedLevels = 2

// customResourceDefinition returns the CustomResourceDefinition of SidecarInjectors, as YAML.
func customResourceDefinition(config *Schema) ([]byte, error) {
	injector := config.Definitions[v1alpha1.Kind].inline(config.Definitions, 0, toStructural)
	injector.Properties["apiVersion"] = &Schema{Type: "string"}
	injector.Properties["kind"] = &Schema{Type: "string"}
	injector.Properties["metadata"] = &Schema{Type: "object"} // the API server has its own schema
	kind := strings.ToLower(v1alpha1.Kind)
	return yaml.Marshal(object{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   object{"name": kind + "s." + v1alpha1.Group},
		"spec": object{
			"group": v1alpha1.Group,
			"scope": "Cluster",
			"names": object{"kind": v1alpha1.Kind, "listKind": v1alpha1.ListKind, "plural": kind + "s", "singular": kind},
			"versions": []object{{
				"name": version, "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": injector},
			}},
		},
	})
}

// toStructural makes a schema structural, as clusters require. It does not forbid unknown fields, which the API server
// drops.
func toStructural(s *Schema, level int) {
	if level > describedLevels {
		s.Description = ""
	}
	if s.Additional == false {
		s.Additional = nil
	}
	if s.AnyOf != nil { // a quantity, or a port
		s.IntOrString, s.AnyOf = true, []*Schema{{Type: "integer"}, {Type: "string"}}
	}
}
