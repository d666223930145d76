package states

import (
	"sync"
	"time"
)

// Queue holds the keys of pods whose states may have changed, each of them once, in the order of their first changes.
type Queue struct {
	mutex  sync.Mutex
	keys   []marked
	isIn   map[string]bool
	taken  time.Time // of the first key that was taken and is not done; zero if there is none
	filled chan struct{}
	now    func() time.Time
}

type marked struct {
	key   string
	since time.Time
}

// NewQueue returns an empty queue.
func NewQueue(now func() time.Time) *Queue {
	return &Queue{isIn: map[string]bool{}, filled: make(chan struct{}, 1), now: now}
}

// Mark adds keys.
func (q *Queue) Mark(keys ...string) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, key := range keys {
		if !q.isIn[key] {
			q.isIn[key] = true
			q.keys = append(q.keys, marked{key, q.now()})
		}
	}
	if len(q.keys) > 0 {
		select {
		case q.filled <- struct{}{}:
		default:
		}
	}
}

// Filled returns a channel that has a value after keys were added.
func (q *Queue) Filled() <-chan struct{} { return q.filled }

// Take removes the first keys and returns them. They count as pending until Done; a key that is marked again meanwhile
// is added again.
func (q *Queue) Take(most int) []string {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	n := min(most, len(q.keys))
	if n == 0 {
		return nil
	}
	q.taken = q.keys[0].since
	keys := make([]string, n)
	for i, m := range q.keys[:n] {
		keys[i] = m.key
		delete(q.isIn, m.key)
	}
	q.keys = q.keys[n:]
	if len(q.keys) == 0 {
		q.keys, q.isIn = nil, map[string]bool{} // free the memory of a large backlog
	}
	return keys
}

// Done records that the states of the keys that were taken are known.
func (q *Queue) Done() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.taken = time.Time{}
}

// Len returns the number of keys.
func (q *Queue) Len() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return len(q.keys)
}

// Complete returns the moment up to which all changes are known: now, unless keys are pending.
func (q *Queue) Complete() time.Time {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	switch {
	case !q.taken.IsZero():
		return q.taken
	case len(q.keys) > 0:
		return q.keys[0].since
	default:
		return q.now()
	}
}
