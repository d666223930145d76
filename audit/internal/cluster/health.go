package cluster

import (
	"fmt"
	"log/slog"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// health is whether one resource is being watched.
type health struct {
	resource  string
	namespace string // empty for all
	log       *slog.Logger

	mutex    sync.Mutex
	watching bool
	watches  int   // so far; an earlier one may end after a later one has begun
	failure  error // of the last attempt
	failures int
}

// begin records that a watch has begun, with everything before it known. It returns the number of the watch.
func (h *health) begin() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.failure != nil {
		h.log.Info("the watch works again", "resource", h.resource, "namespace", h.namespace)
	}
	h.watching, h.failure = true, nil
	h.watches++
	return h.watches
}

// end records that a watch has ended.
func (h *health) end(number int) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if number == h.watches {
		h.watching = false
	}
}

// fail records that a request has failed. The log gets a message once, not with each attempt.
func (h *health) fail(verb string, err error) {
	problem := fmt.Errorf("cannot %s %s%s: %w", verb, h.resource, h.where(), err)
	if apierrors.IsForbidden(err) {
		problem = fmt.Errorf("no right to %s %s%s; bind the ClusterRole pillion-audit, with get, list and watch of %s, to the ServiceAccount: %w",
			verb, h.resource, h.where(), h.resource, err)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.failure == nil || h.failure.Error() != problem.Error() {
		h.log.Error(problem.Error(), "resource", h.resource, "namespace", h.namespace, "verb", verb)
	}
	h.watching, h.failure = false, problem
	h.failures++
}

func (h *health) where() string {
	if h.namespace == "" {
		return ""
	}
	return " in the namespace " + h.namespace
}

// problem returns why the resource is not being watched, or nil if it is.
func (h *health) problem() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case h.failure != nil:
		return h.failure
	case !h.watching:
		return fmt.Errorf("%s%s are being listed", h.resource, h.where())
	default:
		return nil
	}
}

// failed returns the error of the latest request, or nil if it has succeeded.
func (h *health) failed() error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.failure
}

// count returns how many requests have failed.
func (h *health) count() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.failures
}
