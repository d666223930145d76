package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	const copies = "zz_generated.deepcopy.go"
	dir := t.TempDir()
	command := exec.Command("go", "tool", "controller-gen", "object", "paths=pillion.dev/pillion/api/v1alpha1", "output:dir="+dir)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if files[copies], err = os.ReadFile(filepath.Join(dir, copies)); err != nil {
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

func TestEveryFieldOfOursIsDescribed(t *testing.T) {
	a, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range a.parser.Schemata {
		if name.Package != a.pkg {
			continue
		}
		for field, property := range s.Properties {
			if property.Description == "" {
				t.Errorf("%s.%s has no description", name.Name, field)
			}
		}
	}
}

func TestFunctionDefinitionIsWhatKyamlReads(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(apiDir, "krmfunction.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	gvk := resid.NewGvk(v1alpha1.Group, "v1alpha1", v1alpha1.Kind)
	schema, err := framework.SchemaFromFunctionDefinition(gvk, string(text))
	if err != nil {
		t.Fatal(err)
	}
	containers := schema.Properties["spec"].Properties["containers"].Items.Schema
	if containers.Properties["mode"].Default != "Auto" {
		t.Errorf("the default of a container's mode is %v, want Auto", containers.Properties["mode"].Default)
	}
	var definition framework.KRMFunctionDefinition
	if err := yaml.UnmarshalStrict(text, &definition); err != nil {
		t.Fatal(err)
	}
	described := definition.Spec.Versions[0]
	if described.Runtime.Container.Image == "" || described.License == "" || len(described.Examples) == 0 {
		t.Errorf("the image, the license or the examples are missing: %+v", described)
	}
	if !bytes.Contains(text, []byte(`default: "Off"`)) {
		t.Error("Off is not in quotes, so that a reader of YAML 1.1 takes it for false")
	}
	if bytes.Contains(text, []byte("$ref")) {
		t.Error("the OpenAPI schema has references, which have nothing to refer to there")
	}
}
