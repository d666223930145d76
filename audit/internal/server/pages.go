package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"pillion.dev/pillion/audit/internal/watcher"
	"pillion.dev/pillion/internal/output/auditreport"
)

// report answers with the result of a watcher in one format. It is computed once for all requests until the result
// changes, and by one request at a time, so that many requests need no more memory and time than one.
type report struct {
	watcher     *watcher.Watcher
	format      string
	contentType string
	log         *slog.Logger
	turn        *sync.Mutex // of all formats

	packed  []byte // with gzip: a page about thousands of pods is long
	version string
	since   time.Time
}

// freshness is how long a page is shown although the result has changed: in a busy cluster, it changes all the time.
const freshness = 2 * time.Second

func (r *report) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	packed, err := r.current(request.Context())
	if request.Context().Err() != nil {
		return // the client has gone
	}
	if err != nil {
		r.log.Error("the report cannot be created", "format", r.format, "error", err)
		http.Error(w, "the report cannot be created; see the log of pillion-audit", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", r.contentType)
	header.Set("Vary", "Accept-Encoding")
	header.Set("Content-Security-Policy", "frame-ancestors 'none'") // the page has the rest
	if strings.Contains(request.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed) // the client has gone
		return
	}
	if plain, err := gzip.NewReader(bytes.NewReader(packed)); err == nil {
		_, _ = io.Copy(w, plain) // the client has gone
	}
}

// current returns the report with gzip.
func (r *report) current(ctx context.Context) ([]byte, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	version, now := r.watcher.Version(), r.watcher.Now()
	if r.packed != nil && (version == r.version || now.Sub(r.since) < freshness) {
		return r.packed, nil
	}
	result, err := r.watcher.Result(ctx)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	page := auditreport.Page{Title: "pillion-audit", Injectors: r.watcher.Injectors(), Audit: result}
	if err := auditreport.Formats.Write(to, r.format, page); err != nil {
		return nil, err
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	r.packed, r.version, r.since = packed.Bytes(), version, now
	return r.packed, nil
}
