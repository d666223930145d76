package watcher_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/audit/test/apiserver"
	"pillion.dev/pillion/audit/test/watchertest"
)

type server = *apiserver.Server

const proxy = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchLabels: {app: web}}
  containers: [{name: proxy, image: "proxy:2.1", mode: Container}]
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

// start runs a watcher until the test ends.
func start(t *testing.T, api *apiserver.Server, config string, namespaces ...string) *watcher.Watcher {
	t.Helper()
	return watchertest.Start(t, api, watcher.Options{
		Config: []string{config}, ConfigPeriod: 20 * time.Millisecond, Now: time.Now,
		Cluster: cluster.Options{Namespaces: namespaces, Renewal: 2 * time.Second},
	})
}

// waitFor waits until the counts of the injector in the namespace shop are as wanted.
func waitFor(t *testing.T, w *watcher.Watcher, want string) {
	t.Helper()
	counts := func() string { return fmt.Sprint(stringKeys(w)) }
	watchertest.Eventually(t, func() bool { return counts() == want }, func() string {
		return fmt.Sprintf("the counts are %s, want %s; not ready because of: %v", counts(), want, w.Ready())
	})
}

func stringKeys(w *watcher.Watcher) map[string]int {
	counts := map[string]int{}
	for state, n := range w.Counts()[states.CountKey{Injector: "proxy", Namespace: "shop"}] {
		counts[string(state)] = n
	}
	return counts
}

func waitUntilReady(t *testing.T, w *watcher.Watcher) {
	t.Helper()
	watchertest.Eventually(t, func() bool { return w.Ready() == nil }, func() string { return "not ready: " + w.Ready().Error() })
}

// waitForProblem waits until the watcher is not ready because of something.
func waitForProblem(t *testing.T, w *watcher.Watcher, problem string) {
	t.Helper()
	watchertest.Eventually(t, func() bool { return strings.Contains(fmt.Sprint(w.Ready()), problem) }, func() string {
		return fmt.Sprintf("not ready because of %v, want %s", w.Ready(), problem)
	})
}

// waitUntilSyncStops waits until the time of the last sync does not advance with the heartbeats of the watcher any more,
// and returns it.
func waitUntilSyncStops(t *testing.T, w *watcher.Watcher) time.Time {
	t.Helper()
	var stopped time.Time
	watchertest.Eventually(t, func() bool {
		stopped = w.LastSync()
		time.Sleep(2 * time.Second)
		return w.LastSync().Equal(stopped)
	}, func() string { return "the time of the last sync still advances" })
	return stopped
}

func waitForSyncAfter(t *testing.T, w *watcher.Watcher, moment time.Time) {
	t.Helper()
	watchertest.Eventually(t, func() bool { return w.LastSync().After(moment) }, func() string {
		return fmt.Sprintf("the last sync was at %s, want one after %s: %v", w.LastSync(), moment, w.Ready())
	})
}
