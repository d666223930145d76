package cluster

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/test/tools"
)

// Cluster is a running API server.
type Cluster struct {
	address   string // https://127.0.0.1:port
	authority string // the path of the certificate
	client    *http.Client
	etcd      *program
	apiserver *program
	store     string                         // the URL of etcd
	resources map[string]map[string]resource // by API version and kind
}

// token is that of the administrator.
const token = "pillion"

// patience is how long a program may take, such as to start, before a test gives up. An idle machine needs 4 seconds.
const patience = 5 * time.Minute

// Start starts etcd and an API server, with more flags if there are any, and stops them when the test ends. It skips
// the test if they cannot be built.
func Start(tb testing.TB, flags ...string) *Cluster {
	tb.Helper()
	etcd, apiserver := tools.Etcd.Path(tb), tools.KubeAPIServer.Path(tb)
	dir := tb.TempDir()
	ports := freePorts(tb, 3)
	clients, peers, secure := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1], ports[2]

	c := &Cluster{
		address: "https://127.0.0.1:" + secure, store: clients, resources: map[string]map[string]resource{},
		authority: filepath.Join(dir, "certificates", "apiserver.crt"),
	}
	c.etcd = &program{path: etcd, args: []string{
		"--data-dir", filepath.Join(dir, "etcd"), "--unsafe-no-fsync", "--log-level", "error",
		"--listen-client-urls", clients, "--advertise-client-urls", clients,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default=" + peers,
	}}
	c.etcd.start(tb)

	key, tokens := filepath.Join(dir, "serviceaccount.key"), filepath.Join(dir, "tokens.csv")
	writeKey(tb, key)
	write(tb, tokens, token+",admin,admin,system:masters\n")
	c.apiserver = &program{path: apiserver, args: append([]string{
		"--etcd-servers", clients, "--bind-address", "127.0.0.1", "--secure-port", secure,
		"--cert-dir", filepath.Dir(c.authority), "--token-auth-file", tokens, "--authorization-mode", "RBAC",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", key,
		"--service-account-signing-key-file", key, "--service-cluster-ip-range", "10.0.0.0/24",
		"--endpoint-reconciler-type", "none", "--v", "0",
	}, flags...)}
	c.apiserver.start(tb)
	c.waitUntilReady(tb)
	return c
}

// waitUntilReady waits for the certificate that the API server creates, and then for the API server.
func (c *Cluster) waitUntilReady(tb testing.TB) {
	tb.Helper()
	last := "no certificate"
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		authority, err := os.ReadFile(c.authority)
		if err != nil {
			continue
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(authority) {
			continue // it is being written
		}
		c.client = &http.Client{Timeout: patience, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
		answer, err := c.do(http.MethodGet, "/readyz", "", nil)
		if err == nil && answer.Code == http.StatusOK {
			return
		}
		last = fmt.Sprintf("%v %s", err, answer.Body)
	}
	tb.Fatalf("the API server is not ready after %s: %s", patience, last)
}

// Answer is that of the API server to a request.
type Answer struct {
	Code     int
	Body     []byte
	Warnings []string // as kubectl prints them
}

// Accepted reports whether the request succeeded.
func (a Answer) Accepted() bool { return a.Code >= 200 && a.Code < 300 }

func (c *Cluster) do(method, path, contentType string, body []byte) (Answer, error) {
	request, err := http.NewRequestWithContext(context.Background(), method, c.address+path, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	answer := Answer{Code: response.StatusCode}
	for _, warning := range response.Header.Values("Warning") {
		answer.Warnings = append(answer.Warnings, warningText(warning))
	}
	answer.Body, err = io.ReadAll(response.Body)
	return answer, err
}

// warningText returns the text of a header such as `299 - "text"`.
func warningText(header string) string {
	_, text, _ := strings.Cut(header, `"`)
	text = strings.TrimSuffix(text, `"`)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text)
}

func freePorts(tb testing.TB, n int) []string {
	tb.Helper()
	ports := make([]string, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		defer listener.Close() //nolint:errcheck,gocritic // all stay open until each has another port
		_, ports[i], err = net.SplitHostPort(listener.Addr().String())
		if err != nil {
			tb.Fatal(err)
		}
	}
	return ports
}

func writeKey(tb testing.TB, path string) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	write(tb, path, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})))
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
}
