package schema

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

const apiDir = "../../../api/v1alpha1"

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files, err := Generate(apiDir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(apiDir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the Go types say; run make generate", name)
		}
	}
}

func TestEveryPropertyIsDescribed(t *testing.T) {
	for _, schemaOf := range []func(string) (*Schema, error){configSchema, projectSchema} {
		schema, err := schemaOf(apiDir)
		if err != nil {
			t.Fatal(err)
		}
		for name, definition := range schema.Definitions {
			for property, s := range definition.Properties {
				if s.Description == "" {
					t.Errorf("%s.%s has no description", name, property)
				}
			}
		}
	}
}

func TestFunctionDefinitionIsWhatKyamlReads(t *testing.T) {
	files, err := Generate(apiDir)
	if err != nil {
		t.Fatal(err)
	}
	gvk := resid.NewGvk(v1alpha1.Group, "v1alpha1", v1alpha1.Kind)
	schema, err := framework.SchemaFromFunctionDefinition(gvk, string(files["krmfunction.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	containers := schema.Properties["spec"].Properties["containers"].Items.Schema
	if containers.Properties["mode"].Default != "Auto" {
		t.Errorf("the default of a container's mode is %v, want Auto", containers.Properties["mode"].Default)
	}
	var definition framework.KRMFunctionDefinition
	if err := yaml.UnmarshalStrict(files["krmfunction.yaml"], &definition); err != nil {
		t.Fatal(err)
	}
	described := definition.Spec.Versions[0]
	if described.Runtime.Container.Image == "" || described.License == "" || len(described.Examples) == 0 {
		t.Errorf("the image, the license or the examples are missing: %+v", described)
	}
	if !bytes.Contains(files["krmfunction.yaml"], []byte(`default: "Off"`)) {
		t.Error("Off is not in quotes, so that a reader of YAML 1.1 takes it for false")
	}
	if bytes.Contains(files["krmfunction.yaml"], []byte("$ref")) {
		t.Error("the OpenAPI schema has references, which have nothing to refer to there")
	}
}
