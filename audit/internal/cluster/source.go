package cluster

import (
	"context"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"pillion.dev/pillion/audit/internal/object"
)

const (
	pageSize    = 500
	pageTimeout = time.Minute
)

// source lists and watches one resource for a reflector, and records whether that works.
type source struct {
	client   dynamic.ResourceInterface
	selector string // of fields
	health   *health
	renewal  time.Duration
}

func newSource(client dynamic.Interface, resource Resource, namespace string, options Options) *source {
	s := &source{
		client: client.Resource(resource.GroupVersionResource).Namespace(namespace), renewal: options.Renewal,
		health: &health{resource: resource.Resource, namespace: namespace, log: options.Log},
	}
	if resource == Namespaces {
		s.client = client.Resource(resource.GroupVersionResource)
		if namespace != "" {
			s.selector = "metadata.name=" + namespace
		}
	}
	return s
}

// list returns all objects. It reads them page by page and keeps only their compact forms: a list at once would take a
// multiple of the memory. The reflector requests version 0, for which API servers ignore the size of pages; the latest
// version is as good.
func (s *source) list(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
	ctx = reporting(ctx, func(err error) { s.health.fail("list", err) })
	all, err := s.pages(ctx)
	if apierrors.IsResourceExpired(err) { // the pages took too long
		all, err = s.pages(ctx)
	}
	if err != nil {
		s.failed(ctx, "list", err)
		return nil, err
	}
	return all, nil
}

func (s *source) pages(ctx context.Context) (*object.List, error) {
	all := &object.List{}
	options := metav1.ListOptions{Limit: pageSize, FieldSelector: s.selector}
	for {
		page, err := s.page(ctx, options)
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			compact, err := object.New(&page.Items[i])
			if err != nil {
				return nil, err
			}
			all.Items = append(all.Items, compact)
		}
		all.ResourceVersion = page.GetResourceVersion()
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return all, nil
		}
	}
}

func (s *source) page(ctx context.Context, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	return s.client.List(ctx, options)
}

// watch starts a watch. API servers go on with a watch after the right to it was removed, so it is renewed often.
func (s *source) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	seconds := int64(s.renewal.Seconds() * (1 + rand.Float64())) //nolint:forbidigo // so that not all watches end at once
	options.TimeoutSeconds = &seconds
	options.FieldSelector = s.selector
	ctx = reporting(ctx, func(err error) { s.health.fail("watch", err) })
	events, err := s.client.Watch(ctx, options)
	if err != nil {
		if options.SendInitialEvents == nil || !isUnsupported(err) { // then the reflector lists, and watches without it
			s.failed(ctx, "watch", err)
		}
		return nil, err
	}
	return relay(events, s.health, options.SendInitialEvents != nil), nil
}

// failed records an error, unless the transport has recorded it before.
func (s *source) failed(ctx context.Context, verb string, err error) {
	isAnswer := apierrors.ReasonForError(err) != metav1.StatusReasonUnknown
	if ctx.Err() == nil && (isAnswer || s.health.failed() == nil) {
		s.health.fail(verb, err)
	}
}

// isUnsupported reports whether an API server cannot send the list of objects as events.
func isUnsupported(err error) bool { return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) }

// compact is the transform of the informers.
func compact(value any) (any, error) {
	if full, isFull := value.(*unstructured.Unstructured); isFull {
		return object.New(full)
	}
	return value, nil
}
