package pod

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// schema is the part of the schema of a custom resource that leads to pod specs.
type schema struct {
	Properties           map[string]*schema `json:"properties"`
	Items                *schema            `json:"items"`
	AdditionalProperties *schema            `json:"additionalProperties"`
	KeepsAll             bool               `json:"x-kubernetes-preserve-unknown-fields"`
}

// at follows a path of a pod template or a pod spec. What keeps all that it is given has every field.
func (s *schema) at(path ...string) *schema {
	for _, step := range path {
		name, isList := strings.CutSuffix(step, "[]")
		switch {
		case s == nil || s.KeepsAll && s.Properties[name] == nil:
			return s
		case name == "*":
			s = s.AdditionalProperties
		default:
			s = s.Properties[name]
		}
		if isList && s != nil {
			s = s.Items
		}
	}
	return s
}

// withoutSchema are the groups of the kinds that are not compared with schemas. Those of a new kind are.
var withoutSchema = []string{
	"", "apps", "extensions", "batch", // of Kubernetes itself
	"apps.openshift.io", "argoproj.io", "apps.kruise.io", "serving.knative.dev", "keda.sh", "batch.volcano.sh", "flink.apache.org",
}

// TestKindsAreAsTheirSchemasSay compares the table with the schemas of the kinds: where pods are, which fields of a pod
// spec there are, and whether native sidecars are possible.
func TestKindsAreAsTheirSchemasSay(t *testing.T) {
	for _, kind := range builtIn() {
		if slices.Contains(withoutSchema, kind.Group) || kind.Kind == "Experiment" { // whose trials are of any kind
			continue
		}
		root := schemaOf(t, kind)
		for _, path := range kind.Paths {
			annotations := root.at(strings.Split(path+".metadata.annotations", ".")...)
			checkPodSpec(t, kind, path+".metadata.annotations", annotations != nil)
			checkFields(t, kind, path+".spec", root)
		}
		for _, path := range kind.Specs {
			checkFields(t, kind, path, root)
		}
	}
}

// withoutRow are the pods of built-in kinds that are not in the table, and why.
var withoutRow = map[string]string{
	"spec.canary[].predictor":            "of an InferenceService; its entries have no name by which a stamp could find them",
	"spec.canary[].predictor.workerSpec": "the same",
}

// TestAllPodsInTheSchemasAreInTheTable finds each pod spec that the schemas of the kinds have.
func TestAllPodsInTheSchemasAreInTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range builtIn() {
		if slices.Contains(withoutSchema, kind.Group) || kind.Kind == "Experiment" {
			continue
		}
		schemaOf(t, kind).eachPodSpec("", func(path string) {
			template := strings.TrimSuffix(path, ".spec")
			isKnown := kind.Knows(Found{Path: path, IsBare: true}) || kind.Knows(Found{Path: template}) && template != path
			if seen[path] = !isKnown; !isKnown && withoutRow[path] == "" {
				t.Errorf("%s: the pod spec at %s is not in the table, and there is no reason in withoutRow", kind.Kind, path)
			}
		})
	}
	for path := range withoutRow {
		if !seen[path] {
			t.Errorf("withoutRow: no schema has %s, or it is in the table", path)
		}
	}
}

// eachPodSpec visits the paths of the pod specs in a schema. A pod spec has a list of containers with images.
func (s *schema) eachPodSpec(path string, visit func(path string)) {
	if s == nil {
		return
	}
	if s.at("containers[]", "image") != nil && !s.KeepsAll {
		visit(path)
	}
	for name, property := range s.Properties {
		property.eachPodSpec(strings.TrimPrefix(path+"."+name, "."), visit)
	}
	s.AdditionalProperties.eachPodSpec(path+".*", visit)
	s.Items.eachPodSpec(path+"[]", visit)
}

func checkPodSpec(t *testing.T, kind Kind, what string, is bool) {
	t.Helper()
	if !is {
		t.Errorf("%s: the schema does not have %s", kind.Kind, what)
	}
}

func checkFields(t *testing.T, kind Kind, path string, root *schema) {
	t.Helper()
	spec := root.at(strings.Split(path, ".")...)
	checkPodSpec(t, kind, path, spec != nil)
	if spec == nil || spec.KeepsAll {
		return
	}
	for _, field := range []string{"containers", "volumes"} {
		checkPodSpec(t, kind, path+"."+field, spec.at(field) != nil)
	}
	if isNative := spec.at("initContainers[]", "restartPolicy") != nil; isNative == kind.Plain {
		t.Errorf("%s: native sidecars are possible: %v", kind.Kind, isNative)
	}
	if kind.Fields == nil {
		return
	}
	for _, field := range fieldsOf(corev1.PodSpec{}) {
		isOther := field == "resources" && kind.Group == "monitoring.coreos.com" // that of the main container
		if has := spec.at(field) != nil && !isOther; has != slices.Contains(kind.Fields, field) {
			t.Errorf("%s: the schema has %s: %v", kind.Kind, field, has)
		}
	}
}

// schemaOf returns the schema of a kind.
func schemaOf(t *testing.T, kind Kind) *schema {
	t.Helper()
	name := NewKinds()[[2]string{kind.Group, kind.Kind}].Resource + "." + kind.Group + ".yaml"
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "test", "cluster", "testdata", "crds", name))
	if err != nil {
		t.Fatal(err)
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema *schema `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// fieldsOf returns the names of the fields of a type in JSON.
func fieldsOf(value any) (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value)) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
