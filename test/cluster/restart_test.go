package cluster

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// RestartAPIServer kills the API server, calls a function while it is away, and starts it again.
func (c *Cluster) RestartAPIServer(tb testing.TB, meanwhile func()) {
	tb.Helper()
	c.restart(tb, c.apiserver, meanwhile)
}

// RestartEtcd kills etcd, calls a function while it is away, and starts it again. The API server runs all the time.
func (c *Cluster) RestartEtcd(tb testing.TB, meanwhile func()) {
	tb.Helper()
	c.restart(tb, c.etcd, meanwhile)
}

func (c *Cluster) restart(tb testing.TB, p *program, meanwhile func()) {
	tb.Helper()
	p.stop()
	meanwhile()
	p.run(tb)
	c.waitUntilReady(tb)
}

// Compact makes etcd forget all revisions of objects except the latest, so that no watch can go on from an earlier one.
func (c *Cluster) Compact(tb testing.TB) {
	tb.Helper()
	var current struct {
		Header struct {
			Revision string `json:"revision"`
		} `json:"header"`
	}
	c.askEtcd(tb, "/v3/maintenance/status", map[string]any{}, &current)
	c.askEtcd(tb, "/v3/kv/compaction", map[string]any{"revision": current.Header.Revision, "physical": true}, &struct{}{})
}

func (c *Cluster) askEtcd(tb testing.TB, path string, question, answer any) {
	tb.Helper()
	body, err := json.Marshal(question)
	if err != nil {
		tb.Fatal(err)
	}
	client := http.Client{Timeout: patience}
	response, err := client.Post(c.store+path, "application/json", bytes.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil || response.StatusCode != http.StatusOK {
		tb.Fatalf("etcd answers %s with %s, %v", path, response.Status, err)
	}
}
