package schema

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
)

// refine adds rules to a definition that the reader of configs checks and a Go type cannot express.
func refine(t reflect.Type, definition *Schema) {
	properties := definition.Properties
	switch t {
	case reflect.TypeFor[v1alpha1.SidecarInjector]():
		properties["apiVersion"].Enum = []string{v1alpha1.APIVersion}
		properties["kind"].Enum = []string{v1alpha1.Kind}
	case reflect.TypeFor[v1alpha1.SidecarInjectorList]():
		properties["apiVersion"].Enum = []string{v1alpha1.APIVersion}
		properties["kind"].Enum = []string{v1alpha1.ListKind}
		properties["items"].Items = refTo(itemName)
	case reflect.TypeFor[v1alpha1.Project]():
		properties["apiVersion"].Enum = []string{v1alpha1.APIVersion}
		properties["kind"].Enum = []string{v1alpha1.ProjectKind}
	case reflect.TypeFor[v1alpha1.Metadata]():
		properties["name"].MaxLength = v1alpha1.MaxNameBytes
	case reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		properties["kubernetesVersion"].Pattern = `^v?[0-9]+\.[0-9]+(\.[0-9]+)?$`
	case reflect.TypeFor[v1alpha1.Container](), reflect.TypeFor[v1alpha1.InitContainer]():
		definition.Required = append(definition.Required, "image")
	}
}

// isElsewhere reports whether a field of a Kubernetes type is elsewhere in a config.
func isElsewhere(t reflect.Type, field string) bool {
	return t == reflect.TypeFor[corev1.PodSpec]() && pod.InSpec(field).Move != ""
}

// itemName is the definition of a list's items, which may leave out the apiVersion and the kind.
const itemName = "SidecarInjectorItem"

func itemOf(injector *Schema) *Schema {
	item := *injector
	item.Required = slices.DeleteFunc(slices.Clone(injector.Required), func(field string) bool {
		return field == "apiVersion" || field == "kind"
	})
	return &item
}
