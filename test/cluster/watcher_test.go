package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/test/tools"
)

// watcher is a running pillion-audit with the rights of its ServiceAccount.
type watcher struct {
	*program
	connection *Connection
	address    string // http://127.0.0.1:port
}

// buildWatcher returns the path of pillion-audit.
func buildWatcher(t *testing.T) string {
	t.Helper()
	return build(t, filepath.Join(tools.Root(), "audit"), "pillion-audit")
}

// buildPillion returns the path of pillion.
func buildPillion(t *testing.T) string {
	t.Helper()
	return build(t, tools.Root(), "pillion")
}

func build(t *testing.T, module, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	command := exec.Command("go", "build", "-o", path, ".")
	command.Dir = module
	command.Env = append(command.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s cannot be built: %v\n%s", name, err, out)
	}
	return path
}

// startWatcher starts pillion-audit, which ends with the test, and waits until it is ready.
func (w *world) startWatcher(t *testing.T) *watcher {
	t.Helper()
	p := &watcher{connection: w.Connect(t), address: "http://127.0.0.1:" + freePorts(t, 1)[0]}
	kubeconfig := w.Kubeconfig(t, p.connection.Address, w.ServiceAccountToken(t, "pillion-audit", "pillion-audit"))
	p.program = &program{path: w.watcher, args: []string{
		"--config", w.config, "--kubeconfig", kubeconfig, "--listen", strings.TrimPrefix(p.address, "http://"), "--watch-renewal", "3s",
	}}
	p.start(t)
	p.waitUntil(t, "it is ready", p.isReady)
	return p
}

// waitUntil waits for something that follows within seconds on an idle machine.
func (p *watcher) waitUntil(t *testing.T, what string, isSo func() error) {
	t.Helper()
	start := time.Now()
	for {
		err := isSo()
		if err == nil {
			t.Logf("%s after %s", what, time.Since(start).Round(10*time.Millisecond))
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("%s: not after %s: %v", what, patience, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (p *watcher) get(path string) (code int, body string, err error) {
	client := http.Client{Timeout: patience}
	response, err := client.Get(p.address + path)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// mustGet returns what is at a path.
func (p *watcher) mustGet(t *testing.T, path string) string {
	t.Helper()
	code, body, err := p.get(path)
	if err != nil || code != http.StatusOK {
		t.Fatalf("%s: %v %d %s", path, err, code, body)
	}
	return body
}

func (p *watcher) isReady() error {
	code, body, err := p.get("/readyz")
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("%d %s", code, body)
	}
	return err
}

// sample is a line of the metrics.
var (
	sample = regexp.MustCompile(`^([a-z_:]+)(?:\{(.*)\})? (\S+)$`)
	label  = regexp.MustCompile(`([a-z_]+)="((?:[^"\\]|\\.)*)",?`)
)

// metrics returns the samples of the metrics by name, with the values of labels in the order of their names.
func metrics(text string) (map[string]float64, error) {
	samples := map[string]float64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := sample.FindStringSubmatch(line)
		if len(parts) < 3 || label.ReplaceAllString(parts[2], "") != "" {
			return nil, fmt.Errorf("not a sample: %q", line)
		}
		key := []string{parts[1]}
		for _, pair := range label.FindAllStringSubmatch(parts[2], -1) {
			key = append(key, pair[2])
		}
		value, err := strconv.ParseFloat(parts[3], 64)
		if err != nil {
			return nil, err
		}
		samples[strings.Join(key, " ")] = value
	}
	return samples, nil
}

func (p *watcher) metrics() (map[string]float64, error) {
	_, body, err := p.get("/metrics")
	if err != nil {
		return nil, err
	}
	return metrics(body)
}

// lastSync returns the time up to which all changes are known.
func (p *watcher) lastSync(t *testing.T) float64 {
	t.Helper()
	samples, err := p.metrics()
	if err != nil {
		t.Fatal(err)
	}
	return samples["pillion_last_sync_timestamp_seconds"]
}

// counts returns an error unless the metrics have the number of pods in each state that an audit must find.
func (p *watcher) counts(w *world) error {
	samples, err := p.metrics()
	if err != nil {
		return err
	}
	want := map[string]float64{}
	for key, state := range w.want {
		injector, pod, _ := strings.Cut(key, " ")
		namespace, _, _ := strings.Cut(pod, "/")
		want[strings.Join([]string{"pillion_pods", injector, namespace, state}, " ")]++
	}
	for key, value := range samples {
		if strings.HasPrefix(key, "pillion_pods ") && value != want[key] {
			return fmt.Errorf("%s is %v, want %v", key, value, want[key])
		}
	}
	for key, value := range want {
		if samples[key] != value {
			return fmt.Errorf("%s is %v, want %v", key, samples[key], value)
		}
	}
	return nil
}

// states returns those of the report in JSON, by injector and pod.
func states(t *testing.T, report string) map[string]string {
	t.Helper()
	var parsed struct {
		Pods []struct{ Injector, Namespace, Name, State string }
	}
	if err := json.Unmarshal([]byte(report), &parsed); err != nil {
		t.Fatalf("%v in %s", err, report)
	}
	found := map[string]string{}
	for _, pod := range parsed.Pods {
		key := pod.Injector + " " + pod.Namespace + "/" + pod.Name
		if found[key] != "" {
			t.Errorf("%s is there twice", key)
		}
		found[key] = pod.State
	}
	return found
}
