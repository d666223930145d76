package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pillion.dev/pillion/audit/test/apiserver"
	"pillion.dev/pillion/audit/test/watchertest"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--version", 0, "(devel)"},
		{"--help", 0, "pillion-audit --config PATH [flags]"},
		{"", 2, "there is no config; name a file or a directory with --config"},
		{"--config a b", 2, `"b" is not a flag`},
		{"--config a --namespace A_B", 2, `--namespace is "A_B", which is not the name of a namespace`},
		{"--config a --log-format xml", 2, `--log-format is "xml"; write text or json`},
		{"--config a --watch-renewal 1ms", 2, "--watch-renewal is 1ms; write a time of at least 1s"},
		{"--confg a", 2, "unknown flag: --confg"},
		{"--config a --kubeconfig missing", 1, "--kubeconfig: stat missing"},
		{"--config a", 1, "not in a cluster, so name a file with --kubeconfig"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Setenv("KUBERNETES_SERVICE_HOST", "")
			var out bytes.Buffer
			if code := run(t.Context(), strings.Fields(c.args), &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
				t.Errorf("%d: %s; want %d: %s", code, out.String(), c.code, c.want)
			}
		})
	}
}

// log is a writer that can be read while it is written to.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *log) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// TestRun runs the program until it is ready, and stops it.
func TestRun(t *testing.T) {
	api := apiserver.New()
	t.Cleanup(api.Close)
	api.Put(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "shop"}, "spec": {"containers": [{"name": "a",
		"image": "a"}]}}`)
	dir := t.TempDir()
	kubeconfig, config := filepath.Join(dir, "kubeconfig"), filepath.Join(dir, "config.yaml")
	for name, text := range map[string]string{
		kubeconfig: api.Kubeconfig(),
		config: "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: proxy}\n" +
			"spec: {containers: [{name: proxy, image: proxy}]}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var written log
	ended := make(chan int, 1)
	go func() {
		args := []string{"--kubeconfig", kubeconfig, "--config", config, "--listen", "127.0.0.1:0", "--log-format", "json"}
		ended <- run(ctx, args, io.Discard, &written)
	}()
	const want = `pillion_pods{injector="proxy",namespace="shop",state="missing"} 1`
	watchertest.Eventually(t, func() bool { return strings.Contains(metrics(&written), want) },
		func() string { return "there is no " + want + "; the log is\n" + written.String() })
	for _, request := range api.Requests() {
		if !strings.HasPrefix(request, "GET ") {
			t.Errorf("%s may change something", request)
		}
	}
	stop()
	if code := <-ended; code != 0 || !strings.Contains(written.String(), `"msg":"stopped"`) {
		t.Errorf("exit code %d, and the log is\n%s", code, written.String())
	}
}

var address = regexp.MustCompile(`"address":"([^"]+)"`)

// metrics returns the metrics of the program that writes a log, or nothing if it is not ready.
func metrics(written *log) string {
	found := address.FindStringSubmatch(written.String())
	if found == nil {
		return ""
	}
	response, err := http.Get("http://" + found[1] + "/metrics")
	if err != nil {
		return ""
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return ""
	}
	return string(text)
}
