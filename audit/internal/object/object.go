// Package object holds objects of a cluster in little memory: as JSON, without what an audit does not compare.
package object

import (
	"fmt"
	"unique"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Object is an object of a cluster. It is not changed after it was created.
type Object struct {
	Namespace, Name string
	Controller      Reference // the zero value if there is none
	resourceVersion string
	head            string                // JSON of everything except what is in body
	body            unique.Handle[string] // JSON of spec and status: all pods of a ReplicaSet have the same one
}

// Reference names a controller of an object, which is in the same namespace.
type Reference struct{ APIVersion, Kind, Name string }

// New returns the compact form of an object. It takes ownership of the object.
func New(full *unstructured.Unstructured) (*Object, error) {
	o := &Object{
		Namespace: full.GetNamespace(), Name: full.GetName(), Controller: controllerOf(full),
		resourceVersion: full.GetResourceVersion(),
	}
	strip(full)
	body := map[string]any{}
	for _, field := range []string{"spec", "status"} {
		if value, isSet := full.Object[field]; isSet {
			body[field] = value
			delete(full.Object, field)
		}
	}
	head, err := encode(full.Object)
	if err != nil {
		return nil, fmt.Errorf("%s %s/%s: %w", full.GetKind(), o.Namespace, o.Name, err)
	}
	text, err := encode(body)
	if err != nil {
		return nil, fmt.Errorf("%s %s/%s: %w", full.GetKind(), o.Namespace, o.Name, err)
	}
	o.head, o.body = head, unique.Make(text)
	return o, nil
}

func controllerOf(full *unstructured.Unstructured) Reference {
	references, _, _ := unstructured.NestedSlice(full.Object, "metadata", "ownerReferences")
	for _, entry := range references {
		reference, _ := entry.(map[string]any)
		if reference["controller"] != true {
			continue
		}
		text := func(field string) string {
			value, _ := reference[field].(string)
			return unique.Make(value).Value()
		}
		return Reference{text("apiVersion"), text("kind"), text("name")}
	}
	return Reference{}
}

// Text returns the object as JSON.
func (o *Object) Text() []byte {
	body := o.body.Value()
	text := make([]byte, 0, len(o.head)+len(body))
	text = append(text, o.head[:len(o.head)-1]...)
	if body != "{}" {
		text = append(text, ',')
	}
	return append(text, body[1:]...)
}

// Live returns the object for an audit.
func (o *Object) Live() (live.Object, error) {
	document, err := parse.Document(o.Text())
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
	return &List{ListMeta: *l.ListMeta.DeepCopy(), Items: append([]runtime.Object(nil), l.Items...)}
}
