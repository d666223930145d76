// Package states holds the states of pods and counts them.
package states

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/audit"
)

// Table holds the rows of pods. Pods of one template usually have the same rows except for their names, and share them.
type Table struct {
	mutex   sync.RWMutex
	pods    map[string]map[string][]*shared // by namespace and name
	shared  map[[sha256.Size]byte]*shared
	counts  map[CountKey]map[audit.State]int
	version int
}

// CountKey is what pods are counted by.
type CountKey struct{ Injector, Namespace string }

// shared is a row of one or more pods, without their names.
type shared struct {
	row  audit.Row
	key  [sha256.Size]byte
	uses int
}

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{
		pods: map[string]map[string][]*shared{}, shared: map[[sha256.Size]byte]*shared{}, counts: map[CountKey]map[audit.State]int{},
	}
}

// Set replaces the rows of a pod. A pod without rows is removed.
func (t *Table) Set(namespace, name string, rows []audit.Row) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	added := make([]*shared, len(rows))
	for i, row := range rows {
		added[i] = t.share(row)
	}
	old := t.pods[namespace][name]
	if !slices.Equal(old, added) {
		t.version++
	}
	for _, s := range added {
		t.count(s.row, 1)
	}
	for _, s := range old {
		t.count(s.row, -1)
		s.uses--
		if s.uses == 0 {
			delete(t.shared, s.key)
		}
	}
	t.put(namespace, name, added)
}

func (t *Table) put(namespace, name string, rows []*shared) {
	switch {
	case len(rows) > 0 && t.pods[namespace] == nil:
		t.pods[namespace] = map[string][]*shared{name: rows}
	case len(rows) > 0:
		t.pods[namespace][name] = rows
	default:
		delete(t.pods[namespace], name)
		if len(t.pods[namespace]) == 0 {
			delete(t.pods, namespace)
		}
	}
}

// share returns the shared form of a row.
func (t *Table) share(row audit.Row) *shared {
	row.Pod = ""
	text, err := json.Marshal(row)
	if err != nil {
		panic(err) // a row is texts and numbers
	}
	key := sha256.Sum256(text)
	s := t.shared[key]
	if s == nil {
		s = &shared{row: row, key: key}
		t.shared[key] = s
	}
	s.uses++
	return s
}

// count adds to the counts. A key without pods vanishes.
func (t *Table) count(row audit.Row, n int) {
	key := CountKey{row.Injector, row.Namespace}
	if t.counts[key] == nil {
		t.counts[key] = map[audit.State]int{}
	}
	t.counts[key][row.State] += n
	if t.counts[key][row.State] == 0 {
		delete(t.counts[key], row.State)
	}
	if len(t.counts[key]) == 0 {
		delete(t.counts, key)
	}
}

// Counts returns how many pods are in each state.
func (t *Table) Counts() map[CountKey]map[audit.State]int {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	counts := make(map[CountKey]map[audit.State]int, len(t.counts))
	for key, states := range t.counts {
		counts[key] = maps.Clone(states)
	}
	return counts
}

// Version returns a number that changes with the rows.
func (t *Table) Version() int {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return t.version
}

// Touch changes the version.
func (t *Table) Touch() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.version++
}

// Namespaces returns the namespaces of pods, in order.
func (t *Table) Namespaces() []string {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	return slices.Sorted(maps.Keys(t.pods))
}

// Rows returns the rows of a namespace, in the order of the pods' names.
func (t *Table) Rows(namespace string) []audit.Row {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	var rows []audit.Row
	for _, name := range slices.Sorted(maps.Keys(t.pods[namespace])) {
		for _, s := range t.pods[namespace][name] {
			row := s.row
			row.Pod = name
			rows = append(rows, row)
		}
	}
	return rows
}

// Key returns the key of a pod in a queue.
func Key(namespace, name string) string { return namespace + "/" + name }

// Split returns the namespace and the name of a key.
func Split(key string) (namespace, name string) {
	namespace, name, _ = strings.Cut(key, "/")
	return namespace, name
}
