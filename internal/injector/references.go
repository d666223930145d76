package injector

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/schema"
)

// Reference is an object in the cluster that a payload names and cannot do without.
type Reference struct {
	Kind string // ConfigMap, Secret or ServiceAccount
	Name string
	Path string // of the field that names it
}

// References are the objects that the payload names, each once. What is optional is not
// among them, nor what a variable makes up.
func (i *Injector) References() []Reference {
	s := referenceSearch{seen: map[[2]string]bool{}}
	s.walk(reflect.ValueOf(&i.Spec).Elem(), "spec")
	return s.found
}

type referenceSearch struct {
	found []Reference
	seen  map[[2]string]bool
}

func (s *referenceSearch) add(kind, name string, optional *bool, at path) {
	if name == "" || strings.Contains(name, "${") || optional != nil && *optional || s.seen[[2]string{kind, name}] {
		return
	}
	s.seen[[2]string{kind, name}] = true
	s.found = append(s.found, Reference{Kind: kind, Name: name, Path: string(at)})
}

// walk goes by Kubernetes' own types for references, wherever in the payload they stand.
func (s *referenceSearch) walk(v reflect.Value, at path) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			s.walk(v.Elem(), at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.walk(v.Index(i), at.index(i))
		}
	case reflect.Struct:
		if !s.reference(v, at) && !unmarshalsItself(v.Type()) {
			for _, field := range schema.Fields(v.Type()) {
				s.walk(v.FieldByIndex(field.Index), at.key(field.Name))
			}
		}
	}
}

// reference takes what is one; it tells whether there is nothing further inside.
func (s *referenceSearch) reference(v reflect.Value, at path) bool {
	const configMap, secret = "ConfigMap", "Secret"
	switch r := v.Interface().(type) {
	case corev1.ConfigMapVolumeSource:
		s.add(configMap, r.Name, r.Optional, at)
	case corev1.ConfigMapProjection:
		s.add(configMap, r.Name, r.Optional, at)
	case corev1.ConfigMapEnvSource:
		s.add(configMap, r.Name, r.Optional, at)
	case corev1.ConfigMapKeySelector:
		s.add(configMap, r.Name, r.Optional, at)
	case corev1.SecretVolumeSource:
		s.add(secret, r.SecretName, r.Optional, at)
	case corev1.SecretProjection:
		s.add(secret, r.Name, r.Optional, at)
	case corev1.SecretEnvSource:
		s.add(secret, r.Name, r.Optional, at)
	case corev1.SecretKeySelector:
		s.add(secret, r.Name, r.Optional, at)
	case corev1.LocalObjectReference: // of an imagePullSecret, or of a volume's driver
		s.add(secret, r.Name, nil, at)
	case corev1.PodSpec:
		if r.ServiceAccountName != "default" { // every namespace has that one
			s.add("ServiceAccount", r.ServiceAccountName, nil, at.key("serviceAccountName"))
		}
		return false
	default:
		return false
	}
	return true
}
