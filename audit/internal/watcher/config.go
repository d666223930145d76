package watcher

import (
	"context"
	"strings"
	"sync"
	"time"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/config"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// configState is the config in use, and what is wrong with the one in the files.
type configState struct {
	mutex   sync.Mutex
	config  engine.Config
	isValid bool // there is a config in use
	hash    string
	errors  []finding.Finding // of the files as they are now
	since   time.Time         // when the config in use was read
}

func (s *configState) current() (engine.Config, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.config, s.isValid
}

func (s *configState) failures() []finding.Finding {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.errors
}

// watchConfig reads the files of the config again and again. That works for all kinds of mounts and file systems.
func (w *Watcher) watchConfig(ctx context.Context) {
	ticks := time.NewTicker(w.options.ConfigPeriod)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			w.readConfig()
		}
	}
}

// readConfig reads the files of the config, and marks all pods if it has changed. A config with errors leaves the old
// one in use.
func (w *Watcher) readConfig() {
	snapshot, err := w.options.Config.Read()
	w.config.mutex.Lock()
	defer w.config.mutex.Unlock()
	if err != nil {
		w.config.hash = "" // the files are read again when they are back
		w.rejectConfig(config.Failure(err))
		return
	}
	if snapshot.Hash == w.config.hash {
		return
	}
	w.config.hash = snapshot.Hash
	read, failures := snapshot.Config()
	if len(failures) > 0 {
		w.rejectConfig(failures)
		return
	}
	w.config.config, w.config.isValid, w.config.errors, w.config.since = read, true, nil, w.options.Now()
	w.options.Log.Info("read the config", "injectors", strings.Join(read.Names(), ","))
	w.table.Touch()
	w.mark(w.cluster.List(cluster.Pods, ""))
}

// rejectConfig records what is wrong with the config in the files. The log gets each problem once.
func (w *Watcher) rejectConfig(failures []finding.Finding) {
	err := finding.Err(failures)
	if old := finding.Err(w.config.errors); old != nil && old.Error() == err.Error() {
		return
	}
	w.config.errors = failures
	if w.config.isValid {
		w.options.Log.Error("the new config has errors; the old one stays in use", "error", err)
	} else {
		w.options.Log.Error("the config has errors; nothing is audited until they are fixed", "error", err)
	}
}

// ConfigStatus returns the number of errors in the files of the config, and when the config in use was read; zero if
// there is none.
func (w *Watcher) ConfigStatus() (failures int, since time.Time) {
	w.config.mutex.Lock()
	defer w.config.mutex.Unlock()
	return len(w.config.errors), w.config.since
}
