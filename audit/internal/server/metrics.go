package server

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/escape"
)

// collector creates the metrics of a watcher.
type collector struct {
	watcher *watcher.Watcher
	version string
}

var (
	pods = describe(
		"pillion_pods", "Number of pods by injector, namespace and state of the declared sidecar.",
		"injector", "namespace", "state",
	)
	lastSync    = describe("pillion_last_sync_timestamp_seconds", "Time up to which all changes of the cluster are in the states.")
	pending     = describe("pillion_audit_pending_pods", "Pods that have changed and are to be audited.")
	podErrors   = describe("pillion_audit_errors_total", "Pods that could not be audited.")
	watchErrors = describe("pillion_audit_watch_errors_total", "Requests to list or watch a resource that have failed.", "resource")
	configBad   = describe("pillion_config_errors", "Errors in the files of the config. If there are any, an older config is in use, or none.")
	configOK    = describe("pillion_config_last_reload_successful", "Whether the files of the config were read without errors.")
	configTime  = describe("pillion_config_last_reload_success_timestamp_seconds", "Time at which the config in use was read.")
	buildInfo   = describe("pillion_audit_build_info", "The version of the program, with the value 1.", "version", "goversion")
)

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// newRegistry returns the metrics of a watcher and of the process.
func newRegistry(w *watcher.Watcher, version string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collector{w, version}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

// Describe sends the descriptions of the metrics.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{pods, lastSync, pending, podErrors, watchErrors, configBad, configOK, configTime, buildInfo} {
		to <- d
	}
}

// Collect sends the metrics. A namespace has none before its first pod was audited, because zeros would be wrong.
func (c collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	for key, counts := range c.watcher.Counts() {
		for _, state := range audit.States {
			gauge(pods, float64(counts[state]), escape.Line(key.Injector), escape.Line(key.Namespace), string(state))
		}
	}
	gauge(lastSync, seconds(c.watcher.LastSync()))
	gauge(pending, float64(c.watcher.Pending()))
	counter(podErrors, float64(c.watcher.Failed()))
	for resource, failures := range c.watcher.WatchFailures() {
		counter(watchErrors, float64(failures), resource)
	}
	failures, since := c.watcher.ConfigStatus()
	gauge(configBad, float64(failures))
	gauge(configOK, map[bool]float64{true: 1}[failures == 0])
	gauge(configTime, seconds(since))
	gauge(buildInfo, 1, escape.Line(c.version), runtime.Version())
}

// seconds returns a time as Prometheus counts it, or 0 if it is not known.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
