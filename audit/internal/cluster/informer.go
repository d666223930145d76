package cluster

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"

	"pillion.dev/pillion/audit/internal/object"
)

// informer is that of one resource, in one namespace or in all.
type informer struct {
	cache.SharedIndexInformer
	resource     Resource
	health       *health
	registration cache.ResourceEventHandlerRegistration
}

// byController is an index of objects by their controller.
const byController = "controller"

func newInformer(from *source, resource Resource, report func(Change)) (*informer, error) {
	lists := &cache.ListWatch{ListWithContextFunc: from.list, WatchFuncWithContext: from.watch}
	i := &informer{resource: resource, health: from.health}
	i.SharedIndexInformer = cache.NewSharedIndexInformer(
		cache.ToListWatcherWithWatchListSemantics(lists, from.client), &unstructured.Unstructured{}, 0,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, byController: indexController})
	if err := i.SetTransform(compact); err != nil {
		return nil, err
	}
	// The source has recorded the error already, also those that the reflector does not report.
	if err := i.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}); err != nil {
		return nil, err
	}
	var err error
	i.registration, err = i.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(value any) { report(Change{Resource: resource, New: objectOf(value)}) },
		UpdateFunc: func(old, value any) { report(Change{Resource: resource, Old: objectOf(old), New: objectOf(value)}) },
		DeleteFunc: func(value any) { report(Change{Resource: resource, Old: objectOf(value)}) },
	})
	return i, err
}

// objectOf returns the object of an event. One that was deleted while there was no watch is known as it was before.
func objectOf(value any) *object.Object {
	if deleted, isUnknown := value.(cache.DeletedFinalStateUnknown); isUnknown {
		if o, isObject := deleted.Obj.(*object.Object); isObject {
			return o
		}
		namespace, name, _ := cache.SplitMetaNamespaceKey(deleted.Key)
		return &object.Object{Namespace: namespace, Name: name}
	}
	return value.(*object.Object)
}

func indexController(value any) ([]string, error) {
	o := value.(*object.Object)
	if o.Controller == (object.Reference{}) {
		return nil, nil
	}
	return []string{controllerKey(o.Namespace, o.Controller)}, nil
}

func controllerKey(namespace string, r object.Reference) string {
	return strings.Join([]string{namespace, r.APIVersion, r.Kind, r.Name}, "\n")
}
