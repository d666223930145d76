// Package server shows the result of a watcher over HTTP.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pillion.dev/pillion/audit/internal/watcher"
)

// Options are how to serve.
type Options struct {
	Version string
	Log     *slog.Logger
}

// Handler returns the handler of all paths.
func Handler(w *watcher.Watcher, options Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(newRegistry(w, options.Version), promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelError), MaxRequestsInFlight: 4, Timeout: 30 * time.Second,
	}))
	mux.Handle("/healthz", check(w.Alive))
	mux.Handle("/readyz", check(w.Ready))
	var turn sync.Mutex
	page := report{watcher: w, format: "html", contentType: "text/html; charset=utf-8", log: options.Log, turn: &turn}
	asJSON := report{watcher: w, format: "json", contentType: "application/json", log: options.Log, turn: &turn}
	mux.Handle("/{$}", &page)
	mux.Handle("/audit.json", &asJSON)
	return secure(mux)
}

// check answers with 200, or with 503 and what is wrong.
func check(problem func() error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if err := problem(); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, err)
			return
		}
		fmt.Fprintln(w, "ok")
	})
}

// secure rejects requests that would change something, and forbids browsers to run and load anything.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			header.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Serve answers requests until the context ends. Then it finishes those that have begun.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, options Options) error {
	s := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(options.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := s.Shutdown(limit); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
