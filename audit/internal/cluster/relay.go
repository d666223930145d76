package cluster

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// relayed is a watch whose beginning and end are recorded.
type relayed struct {
	watch.Interface
	events chan watch.Event
	done   chan struct{}
	stop   sync.Once
}

// relay passes events on. A watch that begins with a list of all objects counts as one after the list.
func relay(events watch.Interface, health *health, withList bool) watch.Interface {
	r := &relayed{Interface: events, events: make(chan watch.Event), done: make(chan struct{})}
	number := 0
	if !withList {
		number = health.begin()
	}
	go func() {
		defer close(r.events)
		defer func() { health.end(number) }()
		for event := range events.ResultChan() {
			select {
			case r.events <- event:
			case <-r.done:
				return
			}
			if withList && isEndOfList(event) {
				number = health.begin()
			}
		}
	}()
	return r
}

func isEndOfList(event watch.Event) bool {
	if event.Type != watch.Bookmark {
		return false
	}
	object, err := meta.Accessor(event.Object)
	return err == nil && object.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
}

// ResultChan returns the events.
func (r *relayed) ResultChan() <-chan watch.Event { return r.events }

// Stop ends the watch.
func (r *relayed) Stop() {
	r.stop.Do(func() { close(r.done) })
	r.Interface.Stop()
}
