package formats

import (
	"encoding/json"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestAClusterTakesTheDefinition(t *testing.T) {
	const mostThatKubectlAppliesBytes = 262144
	if size := len(v1alpha1.CustomResourceDefinition()); size > mostThatKubectlAppliesBytes {
		t.Errorf("%d bytes are more than kubectl apply keeps in its annotation", size)
	}
	for _, wrong := range structural.ValidateStructural(nil, structuralSchema(t, clusterSchema(t))) {
		t.Error(wrong)
	}
}

// TestAClusterKeepsGoodConfigs checks that an API server takes good configs, and drops nothing of them.
func TestAClusterKeepsGoodConfigs(t *testing.T) {
	schema := clusterSchema(t)
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	validator := compile(t, text)
	fields := structuralSchema(t, schema)
	for claim, config := range goodConfigs {
		t.Run(claim, func(t *testing.T) {
			if err := validator.Validate(parse(t, config)); err != nil {
				t.Error(err)
			}
			var object map[string]any
			if err := yaml.Unmarshal([]byte(config), &object); err != nil {
				t.Fatal(err)
			}
			options := structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
			if dropped := pruning.PruneWithOptions(object, fields, true, options); len(dropped) > 0 {
				t.Errorf("the API server drops %q", dropped)
			}
		})
	}
}

// clusterSchema returns the schema in the CustomResourceDefinition.
func clusterSchema(t *testing.T) *apiextensionsv1.JSONSchemaProps {
	t.Helper()
	var definition apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(v1alpha1.CustomResourceDefinition(), &definition); err != nil {
		t.Fatal(err)
	}
	return definition.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// structuralSchema returns a schema as the API server has it.
func structuralSchema(t *testing.T, schema *apiextensionsv1.JSONSchemaProps) *structural.Structural {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, &internal, nil); err != nil {
		t.Fatal(err)
	}
	s, err := structural.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
