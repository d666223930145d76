// Package object holds objects of a cluster in little memory: as JSON, without what an audit does not compare.
package object

import (
	"fmt"
	"slices"
	"strings"
	"unique"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Object is an object of a cluster. It is not changed after it was created.
type Object struct {
	Namespace, Name string
	Controller      Reference // the zero value if there is none
	resourceVersion string
	// The object as JSON, in parts. All pods of a ReplicaSet have the same spec and most of their metadata in common.
	own            string                // metadata that differs from pod to pod
	metadata, body unique.Handle[string] // the rest of metadata, and everything else
}

// Reference names a controller of an object, which is in the same namespace.
type Reference struct{ APIVersion, Kind, Name string }

// New returns the compact form of an object. It takes ownership of the object.
func New(full *unstructured.Unstructured) (*Object, error) {
	o := &Object{
		Namespace: unique.Make(full.GetNamespace()).Value(), Name: strings.Clone(full.GetName()), Controller: controllerOf(full),
		resourceVersion: strings.Clone(full.GetResourceVersion()),
	}
	strip(full)
	metadata, _ := full.Object["metadata"].(map[string]any)
	delete(full.Object, "metadata")
	own := map[string]any{}
	for _, field := range []string{"name", "creationTimestamp", "deletionTimestamp"} {
		if value, isSet := metadata[field]; isSet {
			own[field] = value
			delete(metadata, field)
		}
	}
	texts := make([]string, 3)
	for i, part := range []map[string]any{own, metadata, full.Object} {
		var err error
		if texts[i], err = encode(part); err != nil {
			return nil, fmt.Errorf("%s %s/%s: %w", full.GetKind(), o.Namespace, o.Name, err)
		}
	}
	o.own, o.metadata, o.body = texts[0], unique.Make(texts[1]), unique.Make(texts[2])
	return o, nil
}

func controllerOf(full *unstructured.Unstructured) Reference {
	controller := metav1.GetControllerOfNoCopy(full)
	if controller == nil {
		return Reference{}
	}
	interned := func(text string) string { return unique.Make(text).Value() }
	return Reference{interned(controller.APIVersion), interned(controller.Kind), interned(controller.Name)}
}

// Text returns the object as JSON.
func (o *Object) Text() []byte {
	return []byte(join(`{"metadata":`+join(o.own, o.metadata.Value())+"}", o.body.Value()))
}

// join returns the mapping with the fields of two, as JSON.
func join(a, b string) string {
	switch {
	case a == "{}":
		return b
	case b == "{}", b == "null":
		return a
	default:
		return a[:len(a)-1] + "," + b[1:]
	}
}

// Live returns the object for an audit.
func (o *Object) Live() (live.Object, error) {
	document, err := read.Document(o.Text())
	if err != nil {
		return live.Object{}, fmt.Errorf("%s/%s: %w", o.Namespace, o.Name, err)
	}
	return live.NewObject(document.Content[0]), nil
}

// GetObjectMeta returns the metadata by which informers find the object.
func (o *Object) GetObjectMeta() metav1.Object {
	return &metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, ResourceVersion: o.resourceVersion}
}

// GetObjectKind returns no kind: informers hold objects of one kind each.
func (o *Object) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject returns the object itself, because it never changes.
func (o *Object) DeepCopyObject() runtime.Object { return o }

// List is a list of objects.
type List struct {
	metav1.ListMeta
	Items []runtime.Object
}

// GetObjectKind returns no kind.
func (l *List) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject returns a copy with the same objects.
func (l *List) DeepCopyObject() runtime.Object {
	return &List{ListMeta: l.ListMeta, Items: slices.Clone(l.Items)}
}
