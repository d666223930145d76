package injector

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/jsonfield"
)

// Reference is an object in the cluster that a payload needs.
type Reference struct {
	Kind string // ConfigMap, Secret or ServiceAccount
	Name string
	Path string // the field that names it
}

// References returns the objects that the payload names, each once, except optional ones and names with variables.
func (i *Injector) References() []Reference {
	s := referenceSearch{seen: map[Reference]bool{}}
	s.walk(reflect.ValueOf(&i.Spec), "spec")
	return s.found
}

type referenceSearch struct {
	found []Reference
	seen  map[Reference]bool // without paths
}

func (s *referenceSearch) add(kind, name string, at schema.Path) {
	if known := (Reference{Kind: kind, Name: name}); name != "" && !strings.Contains(name, "${") && !s.seen[known] {
		s.seen[known] = true
		s.found = append(s.found, Reference{Kind: kind, Name: name, Path: string(at)})
	}
}

// referenceKinds are Kubernetes' types for references to objects of a kind.
var referenceKinds = map[reflect.Type]string{
	reflect.TypeFor[corev1.ConfigMapVolumeSource](): "ConfigMap",
	reflect.TypeFor[corev1.ConfigMapProjection]():   "ConfigMap",
	reflect.TypeFor[corev1.ConfigMapEnvSource]():    "ConfigMap",
	reflect.TypeFor[corev1.ConfigMapKeySelector]():  "ConfigMap",
	reflect.TypeFor[corev1.SecretVolumeSource]():    "Secret",
	reflect.TypeFor[corev1.SecretProjection]():      "Secret",
	reflect.TypeFor[corev1.SecretEnvSource]():       "Secret",
	reflect.TypeFor[corev1.SecretKeySelector]():     "Secret",
	reflect.TypeFor[corev1.LocalObjectReference]():  "Secret", // of an imagePullSecret, or of a volume's driver
}

// walk finds references anywhere in the payload.
func (s *referenceSearch) walk(v reflect.Value, at schema.Path) {
	switch v.Kind() {
	case reflect.Pointer:
		s.walk(v.Elem(), at)
	case reflect.Slice:
		for i := range v.Len() {
			s.walk(v.Index(i), at.Index(i))
		}
	case reflect.Struct:
		if kind, isReference := referenceKinds[v.Type()]; isReference {
			s.addReference(kind, v, at)
		} else if !schema.UnmarshalsItself(v.Type()) {
			s.walkStruct(v, at)
		}
	}
}

func (s *referenceSearch) addReference(kind string, v reflect.Value, at schema.Path) {
	name := v.FieldByName("Name")
	if v.Type() == reflect.TypeFor[corev1.SecretVolumeSource]() {
		name = v.FieldByName("SecretName")
	}
	if optional := v.FieldByName("Optional"); !optional.IsValid() || optional.IsNil() || !optional.Elem().Bool() {
		s.add(kind, name.String(), at)
	}
}

func (s *referenceSearch) walkStruct(v reflect.Value, at schema.Path) {
	// Every namespace has the ServiceAccount default.
	if spec, isPod := v.Interface().(corev1.PodSpec); isPod && spec.ServiceAccountName != "default" {
		s.add("ServiceAccount", spec.ServiceAccountName, at.Key("serviceAccountName"))
	}
	for _, field := range jsonfield.Of(v.Type()) {
		if value := v.FieldByIndex(field.Index); !value.IsZero() {
			s.walk(value, at.Key(field.Name))
		}
	}
}
