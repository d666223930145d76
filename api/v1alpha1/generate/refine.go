package main

import (
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonfield"
)

// refine adds to the schema of a type what the reader of configs knows about it, and controller-gen does not.
func refine(t reflect.Type, s *jsonSchema) {
	for _, word := range v1alpha1.Allowed(reflect.Zero(t).Interface()) {
		s.Enum = append(s.Enum, asJSON(word))
	}
	addDefaults(t, s)
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		s.Pattern = "" // it may be a variable
	case reflect.TypeFor[v1alpha1.Container](), reflect.TypeFor[v1alpha1.InitContainer]():
		s.Required = append(s.Required, "image")
	case reflect.TypeFor[corev1.PodSpec]():
		s.Required = nil
		for field := range s.Properties {
			if pod.InSpec(field).Move != "" { // it is elsewhere in a config
				delete(s.Properties, field)
			}
		}
	}
}

// addDefaults adds the defaults of a type that has some. Those of a struct in it are its own.
func addDefaults(t reflect.Type, s *jsonSchema) {
	value := reflect.New(t)
	defaulter, isDefaulter := value.Interface().(interface{ Default() })
	if !isDefaulter {
		return
	}
	defaulter.Default()
	for _, field := range jsonfield.Of(t) {
		property, isOwn := s.Properties[field.Name]
		set := value.Elem().FieldByIndex(field.Index)
		isPlain := set.Kind() == reflect.String || set.Kind() == reflect.Slice
		if isOwn && isPlain && set.Len() > 0 {
			property.Default = new(asJSON(set.Interface()))
			s.Properties[field.Name] = property
		}
	}
}

func asJSON(value any) apiextensionsv1.JSON {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it is a text or a list of texts
	}
	return apiextensionsv1.JSON{Raw: text}
}
