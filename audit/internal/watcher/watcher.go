// Package watcher audits the pods of a cluster again whenever they, or what their states depend on, have changed.
package watcher

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/dynamic"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/config"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/finding"
)

// Options are what to watch, and how.
type Options struct {
	Config       config.Files
	ConfigPeriod time.Duration // between two reads of the config
	Cluster      cluster.Options
	Log          *slog.Logger
	Now          func() time.Time
}

// Watcher keeps the states of the pods of a cluster up to date.
type Watcher struct {
	options  Options
	cluster  *cluster.Cluster
	queue    *states.Queue
	table    *states.Table
	config   configState
	failed   atomic.Int64 // pods that could not be audited, so far
	lastBeat moment       // when the loop was last at its beginning
	lastSync moment
}

// heartbeat is how often a watcher without work checks whether everything is well.
const heartbeat = time.Second

// New returns a watcher. It does nothing before Run.
func New(client dynamic.Interface, options Options) (*Watcher, error) {
	w := &Watcher{options: options, queue: states.NewQueue(options.Now), table: states.NewTable()}
	var err error
	w.cluster, err = cluster.New(client, options.Cluster, w.changed)
	return w, err
}

// Run audits until the context ends.
func (w *Watcher) Run(ctx context.Context) {
	w.readConfig()
	var running sync.WaitGroup
	running.Go(func() { w.cluster.Run(ctx) })
	running.Go(func() { w.watchConfig(ctx) })
	w.loop(ctx)
	running.Wait()
}

// loop audits pods as soon as all objects are known, and there is a config.
func (w *Watcher) loop(ctx context.Context) {
	ticks := time.NewTicker(heartbeat)
	defer ticks.Stop()
	hasDrained := false // all pods were audited once; until then there is no last sync
	for ctx.Err() == nil {
		w.lastBeat.set(w.options.Now())
		if _, isValid := w.config.current(); isValid && w.cluster.HasSynced() {
			if keys := w.queue.Take(chunk); len(keys) > 0 {
				current, _ := w.config.current() // after Take: keys that a new config has marked must not be audited with the old one
				w.audit(ctx, current, keys)
				w.queue.Done()
				if hasDrained {
					w.recordSync()
				}
				continue
			}
			hasDrained = true
			w.recordSync()
		}
		select {
		case <-ctx.Done():
		case <-ticks.C:
		case <-w.queue.Filled():
		}
	}
}

// recordSync records up to when all changes are known, if the cluster is being watched.
func (w *Watcher) recordSync() {
	complete := w.queue.Complete()                                  // before the check, because a watch may be lost meanwhile
	if w.cluster.Problem() == nil && complete.After(w.LastSync()) { // it never moves back
		w.lastSync.set(complete)
	}
}

// LastSync returns the moment up to which all changes of the cluster are in the states; zero before the first time.
func (w *Watcher) LastSync() time.Time { return w.lastSync.get() }

// Ready returns why the states cannot be relied on, or nil if they can.
func (w *Watcher) Ready() error {
	problems := []error{w.cluster.Failure(), finding.Err(w.config.failures())}
	const delay = 5 * time.Minute // all pods are audited again after a change of the config
	if last := w.LastSync(); last.IsZero() || w.options.Now().Sub(last) > delay {
		problems = append(problems, w.cluster.Problem(), fmt.Errorf("not all pods were audited; %d are left", w.queue.Len()))
	}
	return errors.Join(problems...)
}

// Alive returns why the watcher does not work, or nil if it does.
func (w *Watcher) Alive() error {
	const patience = 2 * time.Minute // pods are audited in chunks of a second or so
	if last := w.lastBeat.get(); !last.IsZero() && w.options.Now().Sub(last) > patience {
		return fmt.Errorf("the audit of some pods has taken %s so far", w.options.Now().Sub(last).Round(time.Second))
	}
	return nil
}
