package watcher

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
)

// Counts returns how many pods are in each state.
func (w *Watcher) Counts() map[states.CountKey]map[audit.State]int { return w.table.Counts() }

// Pending returns how many pods are to be audited.
func (w *Watcher) Pending() int { return w.queue.Len() }

// Failed returns how many times a pod could not be audited.
func (w *Watcher) Failed() int64 { return w.failed.Load() }

// WatchFailures returns how many requests for each resource have failed.
func (w *Watcher) WatchFailures() map[string]int { return w.cluster.Failures() }

// Version returns a text that changes with the result.
func (w *Watcher) Version() string { return fmt.Sprint(w.table.Version(), finding.Err(w.findings())) }

// Injectors returns the names of the injectors in use.
func (w *Watcher) Injectors() []string {
	config, _ := w.config.current()
	return config.Auditing().Names() // without those that remove sidecars
}

// Now returns the time.
func (w *Watcher) Now() time.Time { return w.options.Now() }

// notSynced is the code of the finding that the states are old, or not known at all.
const notSynced finding.Code = "NotSynced"

// findings returns why the result cannot be relied on.
func (w *Watcher) findings() []finding.Finding {
	found := w.config.failures()
	if err := w.cluster.Failure(); err != nil {
		for line := range strings.Lines(err.Error()) {
			found = append(slices.Clip(found), finding.Finding{Severity: finding.Error, Code: notSynced, Message: strings.TrimSpace(line)})
		}
	}
	return found
}

// Result returns the states of all pods, and their groups. It reads the workloads of one namespace at a time, because
// nodes take much more memory than JSON. The error means that the context has ended, or that a workload cannot be read.
func (w *Watcher) Result(ctx context.Context) (audit.Audit, error) {
	config, isValid := w.config.current()
	result := audit.Audit{Findings: w.findings()}
	if !isValid {
		return result, nil
	}
	for _, namespace := range w.table.Namespaces() {
		if err := ctx.Err(); err != nil {
			return audit.Audit{}, err
		}
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
		result.Groups = append(result.Groups, auditor.Groups(ctx, rows)...)
	}
	audit.NoteMovedTags(result.Rows) // of all namespaces, because they share registries
	return result, ctx.Err()
}
