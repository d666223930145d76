package test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// unreachable is the kubeconfig of a cluster that does not answer.
const unreachable = `apiVersion: v1
kind: Config
clusters: [{name: none, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: none, context: {cluster: none}}]
current-context: none
`

// asInCluster are the restrictions of the container in pipelines/audit.
var asInCluster = []string{
	"--user", "65534:65534", "--security-opt=no-new-privileges", "--read-only", "--cap-drop", "ALL", "--memory", "500m",
}

// runsAsWatcher starts the image as restricted as in a cluster, with the injectors of pipelines/audit and a cluster
// that does not answer. It checks that the watcher is alive and not ready, has read the injectors, and stops when it is
// asked to.
func runsAsWatcher(t *testing.T, name string) {
	t.Helper()
	files := t.TempDir()
	writeFile(t, filepath.Join(files, "injector.yaml"), readFile(t, filepath.Join(root, "pipelines", "audit", "injector.yaml")))
	writeFile(t, filepath.Join(files, "kubeconfig"), unreachable)
	readableByNobody(t, files)
	arguments := append([]string{"run", "--detach", "--publish", "127.0.0.1:0:8080", "--volume", files + ":/etc/pillion:ro"}, asInCluster...)
	arguments = append(arguments, name, "--config", "/etc/pillion/injector.yaml", "--kubeconfig", "/etc/pillion/kubeconfig")
	container := strings.TrimSpace(mustRun(t, "", "", "docker", arguments...).stdout)
	t.Cleanup(func() { run(t, "", "", "docker", "rm", "--force", container) })

	address, _, _ := strings.Cut(mustRun(t, "", "", "docker", "port", container, "8080").stdout, "\n")
	if code, body := getUntilAnswered(t, "http://"+address+"/healthz"); code != http.StatusOK {
		t.Errorf("/healthz: %d %s", code, body)
	}
	if code, body := getUntilAnswered(t, "http://"+address+"/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("/readyz without a cluster: %d %s", code, body)
	}
	_, metrics := getUntilAnswered(t, "http://"+address+"/metrics")
	for _, line := range []string{"pillion_config_last_reload_successful 1\n", "pillion_last_sync_timestamp_seconds 0\n"} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no line %q in\n%s", line, metrics)
		}
	}
	mustRun(t, "", "", "docker", "stop", "--time", "60", container)
	if code := mustRun(t, "", "", "docker", "inspect", "--format", "{{.State.ExitCode}}", container).stdout; code != "0\n" {
		t.Errorf("stopped, its exit code is %s", code)
	}
}

// readableByNobody lets the user of the image read a temporary directory.
func readableByNobody(t *testing.T, dir string) {
	t.Helper()
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	for _, entry := range entries {
		if err == nil {
			err = os.Chmod(entry, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// client is not the default one, with which a kustomization that another test has built fetches nothing.
var client = http.Client{Transport: &http.Transport{}}

// getUntilAnswered waits until a program that has just been started answers.
func getUntilAnswered(t *testing.T, url string) (code int, body string) {
	t.Helper()
	var last error
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		response, err := client.Get(url)
		if err != nil {
			last = err
			continue
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err == nil {
			return response.StatusCode, string(text)
		}
		last = err
	}
	t.Fatalf("%s does not answer: %v", url, last)
	return 0, ""
}
