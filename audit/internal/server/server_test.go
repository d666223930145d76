package server_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/server"
	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/audit/test/apiserver"
	"pillion.dev/pillion/audit/test/watchertest"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/escape"
)

const config = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchLabels: {app: web}}
  containers: [{name: proxy, image: "proxy:2.1"}]
---
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  containers: [{name: logs, image: "logs:1"}]
`

// pod returns a pod without a sidecar. Names are as strangers would like them.
func pod(namespace, name string) string {
	text, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"name": name, "namespace": namespace, "labels": map[string]string{"app": "web"},
			"annotations": map[string]string{"long": strings.Repeat("</script>\x1b[31m", 10000)},
		},
		"spec": map[string]any{"containers": []any{map[string]any{"name": "web\n# EOF\n", "image": "web:1"}}},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// start returns the handler of a watcher that has audited all pods.
func start(t *testing.T, api *apiserver.Server) (http.Handler, *watcher.Watcher) {
	t.Helper()
	t.Cleanup(api.Close)
	w := watchertest.Start(t, api, watcher.Options{
		Config: []string{watchertest.WriteConfig(t, config)}, ConfigPeriod: time.Hour, Now: time.Now,
		Cluster: cluster.Options{Renewal: time.Minute},
	})
	handler := server.Handler(w, server.Options{Version: "v1\xff", Log: watchertest.Log(t)})
	waitUntilReady(t, handler)
	return handler, w
}

func waitUntilReady(t *testing.T, handler http.Handler) {
	t.Helper()
	ready := func() *httptest.ResponseRecorder { return request(handler, http.MethodGet, "/readyz") }
	watchertest.Eventually(t, func() bool { return ready().Code == http.StatusOK }, func() string { return ready().Body.String() })
}

func request(handler http.Handler, method, path string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(method, path, http.NoBody))
	return answer
}

// parse returns the series of metrics in text format, with their values.
func parse(t *testing.T, text io.Reader) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// series returns the series of a metric as text, in order.
func series(family *dto.MetricFamily) []string {
	var all []string
	for _, m := range family.GetMetric() {
		var labels []string
		for _, l := range m.GetLabel() {
			labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
		}
		all = append(all, fmt.Sprintf("%s %s %v", family.GetType(), strings.Join(labels, ","), m.GetGauge().GetValue()))
	}
	return slices.Sorted(slices.Values(all))
}

// podsOf returns how many pods have a state, by the labels of the metric.
func podsOf(rows []audit.Row) map[string]int {
	pods := map[string]int{}
	for _, row := range rows {
		pods[fmt.Sprintf("injector=%q,namespace=%q,state=%q", row.Injector, escape.Line(row.Namespace), row.State)]++
	}
	return pods
}

// TestMetrics reads the metrics as Prometheus does, and compares them with the audit.
func TestMetrics(t *testing.T) {
	api := apiserver.New()
	hostile := "a\"} 1\npillion_pods{x=\"\\"
	for _, namespace := range []string{"shop", hostile, "\u2028<b>"} {
		api.Put(pod(namespace, "a"))
		api.Put(pod(namespace, hostile))
	}
	before := time.Now()
	handler, w := start(t, api)
	families := parse(t, request(handler, http.MethodGet, "/metrics").Body)
	got := series(families["pillion_pods"])
	if want := 3 * 2 * 6; len(got) != want { // namespaces, injectors, states
		t.Errorf("%d series, want %d: %q", len(got), want, got)
	}
	if want := `GAUGE injector="proxy",namespace="shop",state="missing" 2`; !slices.Contains(got, want) {
		t.Errorf("%q has no %s", got, want)
	}

	result, err := w.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for key, pods := range podsOf(result.Rows) {
		if want := fmt.Sprintf("GAUGE %s %d", key, pods); !slices.Contains(got, want) {
			t.Errorf("%q has no %s", got, want)
		}
	}
	for _, name := range []string{
		"pillion_last_sync_timestamp_seconds", "pillion_audit_pending_pods", "pillion_audit_errors_total", "pillion_audit_watch_errors_total",
		"pillion_config_errors", "pillion_config_last_reload_successful", "pillion_config_last_reload_success_timestamp_seconds",
		"pillion_audit_build_info", "go_goroutines",
	} {
		if len(families[name].GetMetric()) == 0 {
			t.Errorf("there is no %s in %v", name, slices.Sorted(maps.Keys(families)))
		}
	}
	last := families["pillion_last_sync_timestamp_seconds"].GetMetric()[0].GetGauge().GetValue()
	if earliest, latest := float64(before.Unix()), float64(time.Now().Unix()+1); last < earliest || last > latest {
		t.Errorf("the last sync was at %f, want a time between %f and %f", last, earliest, latest)
	}
}

func TestPages(t *testing.T) {
	api := apiserver.New()
	api.Put(pod("shop", "<script>alert(1)</script>"))
	handler, _ := start(t, api)
	page := request(handler, http.MethodGet, "/")
	if page.Code != http.StatusOK || page.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", page.Code, page.Header())
	}
	if text := page.Body.String(); strings.Contains(text, "<script>alert") || !strings.Contains(text, "Content-Security-Policy") {
		t.Errorf("the page is\n%s", text)
	}
	var result struct {
		Pods []struct{ Name, Namespace, Injector, State string }
	}
	if err := json.Unmarshal(request(handler, http.MethodGet, "/audit.json").Body.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	const name = "<script>alert(1)</script>"
	if got := fmt.Sprint(result.Pods); got != "[{"+name+" shop logs missing} {"+name+" shop proxy missing}]" &&
		got != "[{"+name+" shop proxy missing} {"+name+" shop logs missing}]" {
		t.Errorf("the pods are %s", got)
	}
}

// TestPagesAreKept checks that a page is computed again only if the result has changed.
func TestPagesAreKept(t *testing.T) {
	api := apiserver.New()
	api.Put(pod("shop", "a"))
	handler, _ := start(t, api)
	text := func() string {
		r := httptest.NewRequest(http.MethodGet, "/audit.json", http.NoBody)
		r.Header.Set("Accept-Encoding", "gzip")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		plain, err := gzip.NewReader(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(plain)
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	if first := text(); first != text() || first != request(handler, http.MethodGet, "/audit.json").Body.String() {
		t.Error("the page changes without a reason")
	}
	api.Put(pod("shop", "another-one"))
	watchertest.Eventually(t, func() bool { return strings.Contains(text(), "another-one") },
		func() string { return "the page does not change with the result" })
}

func TestRequestsThatAreRejected(t *testing.T) {
	handler, _ := start(t, apiserver.New())
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/healthz", http.StatusOK},
		{http.MethodHead, "/", http.StatusOK},
		{http.MethodPost, "/", http.StatusMethodNotAllowed},
		{http.MethodDelete, "/metrics", http.StatusMethodNotAllowed},
		{http.MethodGet, "/other", http.StatusNotFound},
	} {
		answer := request(handler, c.method, c.path)
		if answer.Code != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, answer.Code, c.want)
		}
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
			if answer.Header().Get(name) == "" {
				t.Errorf("%s %s: no header %s", c.method, c.path, name)
			}
		}
	}
}

// TestWatchProblemsAreShown takes a right away.
func TestWatchProblemsAreShown(t *testing.T) {
	api := apiserver.New()
	handler, _ := start(t, api)
	api.Forbid("list pods", "watch pods")
	api.DropWatches()
	var answer *httptest.ResponseRecorder
	watchertest.Eventually(t, func() bool {
		answer = request(handler, http.MethodGet, "/readyz")
		return answer.Code != http.StatusOK
	}, func() string { return "the watcher is still ready" })
	if text := answer.Body.String(); answer.Code != http.StatusServiceUnavailable || !strings.Contains(text, "no right to") {
		t.Errorf("%d %s", answer.Code, text)
	}
	failures := parse(t, request(handler, http.MethodGet, "/metrics").Body)["pillion_audit_watch_errors_total"]
	for _, m := range failures.GetMetric() {
		if isPods := m.GetLabel()[0].GetValue() == "pods"; isPods != (m.GetCounter().GetValue() > 0) {
			t.Errorf("%v", m)
		}
	}
	if text := request(handler, http.MethodGet, "/audit.json").Body.String(); !strings.Contains(text, "NotSynced") {
		t.Errorf("the JSON does not say so:\n%s", text)
	}
}

func TestServeEndsWithTheContext(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- server.Serve(ctx, listener, http.NotFoundHandler(), server.Options{Log: slog.New(slog.DiscardHandler)})
	}()
	answer, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRequestsWithoutAClient checks that no report is computed for a client that has gone, and that the next one gets
// it.
func TestRequestsWithoutAClient(t *testing.T) {
	api := apiserver.New()
	api.Put(pod("shop", "a"))
	handler, w := start(t, api)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if result, err := w.Result(ctx); err == nil || len(result.Rows) > 0 {
		t.Errorf("got %v, %v", result.Rows, err)
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/audit.json", http.NoBody).WithContext(ctx))
	if answer.Body.Len() > 0 {
		t.Errorf("the answer is %s", answer.Body)
	}
	if text := request(handler, http.MethodGet, "/audit.json").Body.String(); !strings.Contains(text, `"missing"`) {
		t.Errorf("the next answer is %s", text)
	}
}
