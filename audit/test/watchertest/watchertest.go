// Package watchertest runs watchers in tests.
package watchertest

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/audit/test/apiserver"
)

// WriteConfig writes a config to a file, and returns its path.
func WriteConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Log returns a log that is part of the output of a test.
func Log(t *testing.T) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// Start runs a watcher of an API server until the test ends. It sets the logs of the options.
func Start(t *testing.T, api *apiserver.Server, options watcher.Options) *watcher.Watcher {
	t.Helper()
	client, err := dynamic.NewForConfig(&rest.Config{Host: api.URL, QPS: -1, WrapTransport: cluster.Transport})
	if err != nil {
		t.Fatal(err)
	}
	options.Log = Log(t)
	options.Cluster.Log = options.Log
	w, err := watcher.New(client, options)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Run(t.Context())
	}()
	t.Cleanup(func() { <-done })
	return w
}

// Eventually waits until a condition holds. The explanation is for the case that it does not.
func Eventually(t *testing.T, holds func() bool, explanation func() string) {
	t.Helper()
	const patience = 5 * time.Minute // only a test that hangs takes so long, also on a busy machine
	tooLate := time.After(patience)
	for !holds() {
		select {
		case <-tooLate:
			t.Fatal(explanation())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
