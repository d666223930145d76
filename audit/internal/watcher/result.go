package watcher

import (
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/internal/audit"
)

// Counts returns how many pods are in each state.
func (w *Watcher) Counts() map[states.Place]map[audit.State]int { return w.table.Counts() }

// Pending returns how many pods are to be audited.
func (w *Watcher) Pending() int { return w.queue.Len() }

// Failed returns how many times a pod could not be audited.
func (w *Watcher) Failed() int64 { return w.failed.Load() }

// WatchFailures returns how many requests for each resource have failed.
func (w *Watcher) WatchFailures() map[string]int { return w.cluster.Failures() }

// Version returns a number that changes with the result.
func (w *Watcher) Version() int { return w.table.Version() }

// Injectors returns the names of the injectors in use.
func (w *Watcher) Injectors() []string {
	config, _ := w.config.current()
	return config.Names()
}

// Result returns the states of all pods, and their groups. It reads the workloads of one namespace at a time, because nodes take much more
// memory than JSON.
func (w *Watcher) Result() (audit.Audit, error) {
	config, isValid := w.config.current()
	var result audit.Audit
	if !isValid {
		return result, nil
	}
	for _, namespace := range w.table.Namespaces() {
		rows := w.table.Rows(namespace)
		templates, err := w.templates(namespace)
		if err != nil {
			return audit.Audit{}, err
		}
		auditor, err := audit.New(config, templates)
		if err != nil {
			return audit.Audit{}, err
		}
		result.Rows = append(result.Rows, rows...)
		result.Groups = append(result.Groups, auditor.Groups(rows)...)
	}
	return result, nil
}
