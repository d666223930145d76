package main

import (
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"pillion.dev/pillion/api/v1alpha1"
)

// jsonSchema is a schema, in a JSON schema or in an OpenAPI document.
type jsonSchema = apiextensionsv1.JSONSchemaProps

// api is the package with the types, as controller-gen reads it.
type api struct {
	parser *crd.Parser
	pkg    *loader.Package
}

// parse reads the types, and adds to their schemas what controller-gen cannot know.
func parse() (*api, error) {
	roots, err := loader.LoadRoots(reflect.TypeFor[v1alpha1.SidecarInjector]().PkgPath())
	if err != nil {
		return nil, err
	}
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	parser := &crd.Parser{
		Collector:                  &markers.Collector{Registry: registry},
		Checker:                    &loader.TypeChecker{},
		GenerateEmbeddedObjectMeta: true, // or API servers would drop the labels of a volumeClaimTemplate
	}
	crd.AddKnownTypes(parser)
	types := map[typeName]reflect.Type{}
	for _, t := range []reflect.Type{reflect.TypeFor[v1alpha1.SidecarInjectorList](), reflect.TypeFor[v1alpha1.Project]()} {
		parser.NeedSchemaFor(crd.TypeIdent{Package: roots[0], Name: t.Name()})
		collect(t, types)
	}
	for name, s := range parser.Schemata {
		if t, isKnown := types[typeName{name.Package.PkgPath, name.Name}]; isKnown {
			refine(t, &s)
			parser.Schemata[name] = s
		}
	}
	return &api{parser, roots[0]}, nil
}

// typeName is the path of a package, and the name of a type in it.
type typeName [2]string

// collect adds a type and those that it is made of.
func collect(t reflect.Type, types map[typeName]reflect.Type) {
	name := typeName{t.PkgPath(), t.Name()}
	if types[name] != nil {
		return
	}
	if t.Name() != "" {
		types[name] = t
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collect(t.Elem(), types)
	case reflect.Struct:
		for i := range t.NumField() {
			collect(t.Field(i).Type, types)
		}
	}
}
