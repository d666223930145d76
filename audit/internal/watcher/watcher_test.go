package watcher_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/audit/test/watchertest"
)

func TestStatesFollowChanges(t *testing.T) {
	t.Parallel()
	for name, streams := range map[string]bool{"with lists as events": true, "with lists in pages": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newServer(t)
			api.StreamsLists = streams
			api.Put(pod("a", "2.1"))
			api.Put(pod("b", ""))
			w := start(t, api, watchertest.WriteConfig(t, proxy))
			waitFor(t, w, "map[current:1 missing:1]")
			api.Put(pod("b", "2.0"))
			waitFor(t, w, "map[current:1 stale:1]")
			api.Delete("v1", "Pod", "shop", "a")
			waitFor(t, w, "map[stale:1]")
			api.Delete("v1", "Pod", "shop", "b")
			waitFor(t, w, "map[]")
			if counts := w.Counts(); len(counts) > 0 {
				t.Errorf("there are counts without pods: %v", counts)
			}
		})
	}
}

func TestNamespaceLabelsCount(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", ""))
	w := start(t, api, watchertest.WriteConfig(t, proxy+"  namespaceSelector: {matchLabels: {mesh: \"on\"}}\n"))
	waitFor(t, w, "map[skipped:1]")
	api.Put(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"mesh": "on"}}}`)
	waitFor(t, w, "map[missing:1]")
	api.Delete("v1", "Namespace", "", "shop")
	waitFor(t, w, "map[skipped:1]")
}

// TestOwnersCount changes the controller of the controller of a pod.
func TestOwnersCount(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(strings.Replace(pod("a", ""), `"metadata": {`,
		`"metadata": {"ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "controller": true}], `, 1))
	w := start(t, api, watchertest.WriteConfig(t, proxy+"  rules: [{apiGroups: [batch], apiVersions: [v1], resources: [cronjobs]}]\n"))
	waitFor(t, w, "map[skipped:1]")
	api.Put(`{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "namespace": "shop",
		"ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "c", "controller": true}]}}`)
	waitFor(t, w, "map[missing:1]")
	api.Delete("batch/v1", "Job", "shop", "j")
	waitFor(t, w, "map[skipped:1]")
}

func TestLostWatches(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(api server){
		"ended": func(api server) { api.DropWatches() },
		"ended, and the history is lost": func(api server) {
			api.SetDown(true)
			api.Delete("v1", "Pod", "shop", "a")
			api.Put(pod("c", ""))
			api.Compact()
			api.SetDown(false)
			api.Put(pod("a", "2.1"))
			api.Delete("v1", "Pod", "shop", "c")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newServer(t)
			api.Put(pod("a", "2.1"))
			w := start(t, api, watchertest.WriteConfig(t, proxy))
			waitFor(t, w, "map[current:1]")
			lose(api)
			api.Put(pod("b", "2.0"))
			waitFor(t, w, "map[current:1 stale:1]")
		})
	}
}

// TestDeletionWhileDown deletes a pod that the watcher cannot see the deletion of, and checks that it does not call old
// states new.
func TestDeletionWhileDown(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", "2.1"))
	api.Put(pod("b", ""))
	w := start(t, api, watchertest.WriteConfig(t, proxy))
	waitFor(t, w, "map[current:1 missing:1]")
	waitUntilReady(t, w)
	api.SetDown(true)
	waitForProblem(t, w, "cannot watch pods")
	stopped := waitUntilSyncStops(t, w)
	api.Delete("v1", "Pod", "shop", "b")
	api.Compact()
	api.SetDown(false)
	waitFor(t, w, "map[current:1]")
	waitForSyncAfter(t, w, stopped)
}

func TestQuietClusterStaysSynced(t *testing.T) {
	t.Parallel()
	w := start(t, newServer(t), watchertest.WriteConfig(t, proxy))
	waitUntilReady(t, w)
	waitForSyncAfter(t, w, time.Now().Add(5*time.Second)) // watches were renewed meanwhile
	if err := w.Ready(); err != nil {
		t.Error(err)
	}
}

func TestMissingRights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, forbidden, want string }{
		{"none", "list pods,watch pods", "no right to list pods; bind the ClusterRole pillion-audit, with get, list and watch of pods"},
		{"no watch", "watch cronjobs", "no right to watch cronjobs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rights := strings.Split(c.forbidden, ",")
			api := newServer(t)
			api.Put(pod("a", ""))
			api.Forbid(rights...)
			w := start(t, api, watchertest.WriteConfig(t, proxy))
			waitForProblem(t, w, c.want)
			resource := rights[0][strings.Index(rights[0], " ")+1:]
			if w.WatchFailures()[resource] == 0 || !w.LastSync().IsZero() {
				t.Errorf("%d failures, last sync %s", w.WatchFailures()[resource], w.LastSync())
			}
			api.Allow(rights...)
			waitFor(t, w, "map[missing:1]")
			waitUntilReady(t, w)
		})
	}
}

func TestRightsThatAreRemoved(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", ""))
	w := start(t, api, watchertest.WriteConfig(t, proxy))
	waitFor(t, w, "map[missing:1]")
	waitUntilReady(t, w)
	api.Forbid("list pods", "watch pods")
	waitForProblem(t, w, "no right to list pods")
	stopped := waitUntilSyncStops(t, w)
	api.Put(pod("b", "2.1"))
	api.Allow("list pods", "watch pods")
	waitFor(t, w, "map[current:1 missing:1]")
	waitForSyncAfter(t, w, stopped)
}

// TestNamespaces watches one namespace only, with requests for it.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", ""))
	api.Put(strings.Replace(pod("a", ""), `"shop"`, `"other"`, 1))
	w := start(t, api, watchertest.WriteConfig(t, proxy), "shop")
	waitFor(t, w, "map[missing:1]")
	if counts := w.Counts(); len(counts) != 1 {
		t.Errorf("got %v", counts)
	}
	for _, request := range api.Requests() {
		if !strings.Contains(request, "/namespaces/shop/") && !strings.Contains(request, "fieldSelector=metadata.name%3Dshop") {
			t.Errorf("%s is not about the namespace", request)
		}
	}
}

// TestPages checks that no list is read at once.
func TestPages(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.StreamsLists = false
	for i := range 1201 {
		api.Put(pod(fmt.Sprintf("web-%d", i), "2.1"))
	}
	w := start(t, api, watchertest.WriteConfig(t, proxy))
	waitFor(t, w, "map[current:1201]")
	pages := 0
	for _, request := range api.Requests() {
		if strings.Contains(request, "watch=true") {
			continue
		}
		if !strings.Contains(request, "limit=500") || strings.Contains(request, "resourceVersion=0") {
			t.Errorf("%s asks for everything at once", request)
		}
		if strings.HasPrefix(request, "GET /api/v1/pods?") {
			pages++
		}
	}
	if pages != 3 {
		t.Errorf("%d pages of pods, want 3", pages)
	}
}
