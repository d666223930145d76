package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
)

// Kubeconfig writes a file for kubectl and for clients with the same library. The address is that of the API server if
// it is empty.
func (c *Cluster) Kubeconfig(tb testing.TB, address, token string) string {
	tb.Helper()
	if address == "" {
		address = c.address
	}
	path := filepath.Join(tb.TempDir(), "kubeconfig")
	write(tb, path, fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: test}}]
current-context: test
`, address, c.authority, token))
	return path
}

// ServiceAccountToken returns a token of a ServiceAccount, as its pods get it.
func (c *Cluster) ServiceAccountToken(tb testing.TB, namespace, name string) string {
	tb.Helper()
	path := fmt.Sprintf("/api/v1/namespaces/%s/serviceaccounts/%s/token", namespace, name)
	body := []byte(`{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}`)
	answer, err := c.do(http.MethodPost, path, "application/json", body)
	var request struct {
		Status struct {
			Token string `json:"token"`
		} `json:"status"`
	}
	if err == nil {
		err = json.Unmarshal(answer.Body, &request)
	}
	if err != nil || request.Status.Token == "" {
		tb.Fatalf("%s: %v %s", path, err, answer.Body)
	}
	return request.Status.Token
}
