// Package cluster keeps copies of the objects of a cluster, with list and watch, and reports what has changed.
package cluster

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"pillion.dev/pillion/audit/internal/object"
)

// Options are what to watch, and how.
type Options struct {
	Namespaces []string      // all if empty
	Renewal    time.Duration // how long a watch lasts at least; lost rights are noticed when it is renewed
	Log        *slog.Logger
}

// Cluster holds the objects of a cluster.
type Cluster struct{ informers []*informer }

// Change is an object that has appeared, changed or vanished: then Old, New or both are set.
type Change struct {
	Resource Resource
	Old, New *object.Object
}

// New returns a cluster that reports changes. Nothing is read before Run.
func New(client dynamic.Interface, options Options, report func(Change)) (*Cluster, error) {
	namespaces := options.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	c := &Cluster{}
	for _, namespace := range namespaces {
		for _, resource := range slices.Concat([]Resource{Namespaces, Pods}, Workloads) {
			i, err := newInformer(newSource(client, resource, namespace, options), resource, report)
			if err != nil {
				return nil, err
			}
			c.informers = append(c.informers, i)
		}
	}
	return c, nil
}

// Run keeps the objects up to date until the context ends.
func (c *Cluster) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, i := range c.informers {
		running.Go(func() { i.RunWithContext(ctx) })
	}
	running.Wait()
}

// HasSynced reports whether all objects were read once, and reported.
func (c *Cluster) HasSynced() bool {
	return !slices.ContainsFunc(c.informers, func(i *informer) bool { return !i.registration.HasSynced() })
}

// Problem returns why the objects are not up to date, or nil if they are.
func (c *Cluster) Problem() error {
	var problems []error
	for _, i := range c.informers {
		if err := i.health.problem(); err != nil {
			problems = append(problems, err)
		} else if !i.registration.HasSynced() {
			problems = append(problems, errors.New(i.resource.Resource+" are being read"))
		}
	}
	return errors.Join(problems...)
}

// Failure returns the errors of the latest requests, or nil if none has failed.
func (c *Cluster) Failure() error {
	var failures []error
	for _, i := range c.informers {
		failures = append(failures, i.health.failed())
	}
	return errors.Join(failures...)
}

// Failures returns how many requests for each resource have failed.
func (c *Cluster) Failures() map[string]int {
	counts := map[string]int{}
	for _, i := range c.informers {
		counts[i.resource.Resource] += i.health.count()
	}
	return counts
}

// Get returns an object, or nil if there is none.
func (c *Cluster) Get(apiVersion, kind, namespace, name string) *object.Object {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	for _, i := range c.informers {
		if i.resource.Kind != kind || i.resource.APIVersion() != apiVersion {
			continue
		}
		if value, exists, err := i.GetStore().GetByKey(key); err == nil && exists {
			return value.(*object.Object)
		}
	}
	return nil
}

// List returns all objects of a resource in a namespace, or in all if it is empty.
func (c *Cluster) List(resource Resource, namespace string) []*object.Object {
	return c.find(func(i *informer) ([]any, error) {
		switch {
		case i.resource != resource:
			return nil, nil
		case namespace == "":
			return i.GetStore().List(), nil
		default:
			return i.GetIndexer().ByIndex(cache.NamespaceIndex, namespace)
		}
	})
}

// Controlled returns the objects of a resource that an object controls.
func (c *Cluster) Controlled(resource Resource, apiVersion, kind, namespace, name string) []*object.Object {
	key := controllerKey(namespace, object.Reference{APIVersion: apiVersion, Kind: kind, Name: name})
	return c.find(func(i *informer) ([]any, error) {
		if i.resource != resource {
			return nil, nil
		}
		return i.GetIndexer().ByIndex(byController, key)
	})
}

func (c *Cluster) find(in func(*informer) ([]any, error)) []*object.Object {
	var found []*object.Object
	for _, i := range c.informers {
		values, err := in(i)
		if err != nil {
			continue // there is no such index, which is the same for all informers
		}
		for _, value := range values {
			found = append(found, value.(*object.Object))
		}
	}
	return found
}
