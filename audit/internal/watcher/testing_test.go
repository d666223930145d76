package watcher_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"pillion.dev/pillion/audit/internal/apiserver"
	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/audit/internal/watcher"
)

type server = *apiserver.Server

const proxy = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchLabels: {app: web}}
  containers: [{name: proxy, image: "proxy:2.1"}]
`

// pod returns a pod with a container of the app and a proxy of a version, or none if it is empty.
func pod(name, version string) string {
	containers := `{"name": "web", "image": "web:1"}`
	if version != "" {
		containers += fmt.Sprintf(`, {"name": "proxy", "image": "proxy:%s"}`, version)
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q, "namespace": "shop", "labels": {"app": "web"}},
		"spec": {"containers": [%s]}, "status": {"phase": "Running"}}`, name, containers)
}

// newServer returns an API server with a namespace.
func newServer(t *testing.T) *apiserver.Server {
	t.Helper()
	api := apiserver.New()
	t.Cleanup(api.Close)
	api.Put(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}`)
	return api
}

// write returns the path of a file with a text.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// start runs a watcher until the test ends.
func start(t *testing.T, api *apiserver.Server, config string, namespaces ...string) *watcher.Watcher {
	t.Helper()
	client, err := dynamic.NewForConfig(&rest.Config{Host: api.URL, QPS: -1, WrapTransport: cluster.Transport})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	w, err := watcher.New(client, watcher.Options{
		Config: []string{config}, ConfigPeriod: 20 * time.Millisecond, Log: log, Now: time.Now,
		Cluster: cluster.Options{Namespaces: namespaces, Renewal: 2 * time.Second, Log: log},
	})
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

// eventually waits until a condition holds. The explanation is for the case that it does not.
func eventually(t *testing.T, holds func() bool, explanation func() string) {
	t.Helper()
	const patience = time.Minute // the reflector waits for some seconds after errors
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(explanation())
		}
	}
}

// waitFor waits until the counts of the injector in the namespace shop are as wanted.
func waitFor(t *testing.T, w *watcher.Watcher, want string) {
	t.Helper()
	counts := func() string { return fmt.Sprint(stringKeys(w)) }
	eventually(t, func() bool { return counts() == want }, func() string {
		return fmt.Sprintf("the counts are %s, want %s; not ready because of: %v", counts(), want, w.Ready())
	})
}

func stringKeys(w *watcher.Watcher) map[string]int {
	counts := map[string]int{}
	for state, n := range w.Counts()[states.Place{Injector: "proxy", Namespace: "shop"}] {
		counts[string(state)] = n
	}
	return counts
}

func waitUntilReady(t *testing.T, w *watcher.Watcher) {
	t.Helper()
	eventually(t, func() bool { return w.Ready() == nil }, func() string { return "not ready: " + w.Ready().Error() })
}

// waitForProblem waits until the watcher is not ready because of something.
func waitForProblem(t *testing.T, w *watcher.Watcher, problem string) {
	t.Helper()
	eventually(t, func() bool { return strings.Contains(fmt.Sprint(w.Ready()), problem) }, func() string {
		return fmt.Sprintf("not ready because of %v, want %s", w.Ready(), problem)
	})
}

func waitForSyncAfter(t *testing.T, w *watcher.Watcher, moment time.Time) {
	t.Helper()
	eventually(t, func() bool { return w.LastSync().After(moment) }, func() string {
		return fmt.Sprintf("the last sync was at %s, want one after %s: %v", w.LastSync(), moment, w.Ready())
	})
}
