package watcher

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/internal/engine"
)

// configState is the config in use, and what is wrong with the one in the files.
type configState struct {
	mutex   sync.Mutex
	config  engine.Config
	isValid bool // there is a config in use
	hash    string
	failure error // of the files as they are now
	since   time.Time
}

func (s *configState) current() (engine.Config, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.config, s.isValid
}

func (s *configState) problem() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failure
}

// watchConfig looks at the files of the config again and again. That works for all kinds of mounts and file systems.
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

// readConfig reads the files of the config, and marks all pods if it has changed. A config with errors leaves the old one in use.
func (w *Watcher) readConfig() {
	snapshot, err := w.options.Config.Read()
	w.config.mutex.Lock()
	defer w.config.mutex.Unlock()
	if err == nil && snapshot.Hash == w.config.hash {
		return
	}
	var config engine.Config
	if err == nil {
		w.config.hash = snapshot.Hash
		config, err = snapshot.Config()
	} else {
		w.config.hash = "" // it is read again when the files are back
	}
	if err != nil {
		w.rejectConfig(err)
		return
	}
	w.config.config, w.config.isValid, w.config.failure, w.config.since = config, true, nil, w.options.Now()
	w.options.Log.Info("read the config", "injectors", strings.Join(config.Names(), ","))
	w.table.Touch()
	w.mark(w.cluster.List(cluster.Pods, ""))
}

// rejectConfig records what is wrong with the config in the files.
func (w *Watcher) rejectConfig(err error) {
	isNew := w.config.failure == nil || w.config.failure.Error() != err.Error()
	w.config.failure = err
	switch {
	case isNew && w.config.isValid:
		w.options.Log.Error("the new config has errors; the old one stays in use", "error", err)
	case isNew:
		w.options.Log.Error("the config has errors; nothing is audited until they are fixed", "error", err)
	}
}

// ConfigStatus is the state of the config.
type ConfigStatus struct {
	Errors []string  // of the files as they are now; then an older config is in use, or none
	Since  time.Time // when the config in use was read; zero if there is none
}

// ConfigStatus returns the state of the config.
func (w *Watcher) ConfigStatus() ConfigStatus {
	w.config.mutex.Lock()
	defer w.config.mutex.Unlock()
	status := ConfigStatus{Since: w.config.since}
	var several interface{ Unwrap() []error }
	switch {
	case w.config.failure == nil:
	case errors.As(w.config.failure, &several):
		for _, err := range several.Unwrap() {
			status.Errors = append(status.Errors, err.Error())
		}
	default:
		status.Errors = []string{w.config.failure.Error()}
	}
	return status
}
