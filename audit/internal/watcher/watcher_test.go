package watcher_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"pillion.dev/pillion/audit/internal/apiserver"
	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/audit/internal/watcher"
)

const proxy = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchLabels: {app: web}}
  containers: [{name: proxy, image: "proxy:2.1"}]
`

// pod returns a pod with an app container and a proxy of a version, or none if it is empty.
func pod(name, version string) string {
	containers := `{"name": "web", "image": "web:1"}`
	if version != "" {
		containers += fmt.Sprintf(`, {"name": "proxy", "image": "proxy:%s"}`, version)
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q, "namespace": "shop", "labels": {"app": "web"}},
		"spec": {"containers": [%s]}, "status": {"phase": "Running"}}`, name, containers)
}

// start runs a watcher until the test ends.
func start(t *testing.T, api *apiserver.Server, config string) *watcher.Watcher {
	t.Helper()
	client, err := dynamic.NewForConfig(&rest.Config{Host: api.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	w, err := watcher.New(client, watcher.Options{
		Config: []string{config}, ConfigPeriod: 20 * time.Millisecond, Log: log, Now: time.Now,
		Cluster: cluster.Options{Renewal: time.Second, Log: log},
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

// waitFor waits until the counts of an injector in the namespace shop are as wanted.
func waitFor(t *testing.T, w *watcher.Watcher, want string) {
	t.Helper()
	var got string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		got = fmt.Sprint(w.Counts()[states.Place{Injector: "proxy", Namespace: "shop"}])
		if got == want {
			return
		}
	}
	t.Fatalf("the counts are %s, want %s; not ready because of: %v", got, want, w.Ready())
}

func TestStatesFollowChanges(t *testing.T) {
	api := apiserver.New()
	t.Cleanup(api.Close)
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte(proxy), 0o600); err != nil {
		t.Fatal(err)
	}
	api.Put(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}`)
	api.Put(pod("a", "2.1"))
	api.Put(pod("b", ""))
	w := start(t, api, config)
	waitFor(t, w, "map[current:1 missing:1]")
	api.Put(pod("b", "2.0"))
	waitFor(t, w, "map[current:1 stale:1]")
	api.Delete("v1", "Pod", "shop", "a")
	waitFor(t, w, "map[stale:1]")
}
