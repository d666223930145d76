package formats

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestAClusterTakesTheDefinition(t *testing.T) {
	text := v1alpha1.CustomResourceDefinition()
	const mostThatKubectlAppliesBytes = 262144
	if len(text) > mostThatKubectlAppliesBytes {
		t.Errorf("%d bytes are more than kubectl apply keeps in its annotation", len(text))
	}
	var definition apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &definition); err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.JSONSchemaProps
	version := definition.Spec.Versions[0]
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, &internal, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := structural.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range structural.ValidateStructural(nil, s) {
		t.Error(wrong)
	}
}
